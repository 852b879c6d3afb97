package io.railflux.samples.cli.netlab;

import io.railflux.samples.cli.shell.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Two network namespaces, connected by cables. Each cable is a pair of virtual interfaces, and a token bucket at each
 * end limits the rate. Closing removes the namespaces; a later run removes those of killed runs.
 *
 * <pre>
 *   near  10.91.0.1 ----- rail0 ----- 10.91.0.2  far
 *         10.91.1.1 ----- rail1 ----- 10.91.1.2
 * </pre>
 */
final class Hosts implements AutoCloseable {

  private static final String PREFIX = "railflux-netlab-";
  private static final Path NAMESPACES = Path.of("/run/netns");

  private final String name;

  private Hosts(String name) {
    this.name = name;
  }

  /**
   * @throws CommandFailure with the reason if this machine has no namespaces
   */
  static Hosts create(int rails, int megabits) {
    if (!"root".equals(System.getProperty("user.name"))) {
      throw new CommandFailure(
          "skipped: network namespaces need root, not " + System.getProperty("user.name"));
    }
    removeStale();
    Hosts hosts = new Hosts(PREFIX + ProcessHandle.current().pid());
    try {
      for (String host : List.of(hosts.near(), hosts.far())) {
        Ip.run("ip", "netns", "add", host);
        Ip.run("ip", "-n", host, "link", "set", "lo", "up");
      }
      for (int rail = 0; rail < rails; rail++) {
        hosts.cable(rail).lay(megabits);
      }
      return hosts;
    } catch (CommandFailure e) {
      hosts.close();
      throw new CommandFailure(
          "skipped: this machine cannot create such a network: " + e.getMessage(), e);
    }
  }

  /** Returns the hosts that another process created. */
  static Hosts of(String name) {
    return new Hosts(name);
  }

  String name() {
    return name;
  }

  String near() {
    return name + "-near";
  }

  String far() {
    return name + "-far";
  }

  Cable cable(int rail) {
    return new Cable(this, rail);
  }

  /** Returns the command prefix that runs a command on a host. */
  static List<String> on(String host) {
    return List.of("ip", "netns", "exec", host);
  }

  @Override
  public void close() {
    remove(name);
  }

  private static void removeStale() {
    for (String found : namespaces()) {
      String pid = found.startsWith(PREFIX) ? found.split("-", -1)[2] : "";
      if (pid.matches("[0-9]+") && ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
        remove(PREFIX + pid);
      }
    }
  }

  /** Called at the end or by the interruption of the command, whichever is first. */
  private static synchronized void remove(String prefix) {
    for (String found : namespaces()) {
      if (found.startsWith(prefix + "-")) {
        Ip.run("ip", "netns", "del", found);
      }
    }
  }

  private static List<String> namespaces() {
    if (!Files.isDirectory(NAMESPACES)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(NAMESPACES)) {
      return files.map(file -> file.getFileName().toString()).toList();
    } catch (IOException e) {
      throw new CommandFailure("cannot list " + NAMESPACES + ": " + e.getMessage(), e);
    }
  }
}
