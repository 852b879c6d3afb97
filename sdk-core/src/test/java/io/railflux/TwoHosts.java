package io.railflux;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Two hosts with a router between them, each a network namespace of this machine; made before a test
 * and gone after it. Where that cannot be, the test is skipped with the reason.
 *
 * <pre>
 *   A  10.77.1.2 ----- 10.77.1.1  router  10.77.2.1 ----- 10.77.2.2  B
 * </pre>
 *
 * <p>What fails, fails at the router: the hosts see what hosts see.
 */
public final class TwoHosts implements BeforeEachCallback, AfterEachCallback {

  /** A host. */
  public enum Host {
    A("10.77.1.2", "10.77.1.1"),
    B("10.77.2.2", "10.77.2.1");

    private final String address;
    private final String router;

    Host(String address, String router) {
      this.address = address;
      this.router = router;
    }

    public String address() {
      return address;
    }
  }

  private static final Path NAMESPACES = Path.of("/run/netns");
  private static final String PREFIX = "railflux-test-";
  private static final String ROUTER = "router";
  private static final String SECOND = "eth1";
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private String name;

  public TwoHosts() {}

  @Override
  public void beforeEach(ExtensionContext context) throws IOException {
    if (!"root".equals(System.getProperty("user.name"))) {
      abort("network namespaces need root, not " + System.getProperty("user.name"));
    }
    removeStale();
    name = PREFIX + ProcessHandle.current().pid() + "-" + NUMBERS.incrementAndGet() + "-";
    try {
      for (String host : List.of(Host.A.name(), Host.B.name(), ROUTER)) {
        ip("netns", "add", name + host);
        ip("-n", name + host, "link", "set", "lo", "up");
      }
      wire(Host.A);
      wire(Host.B);
      forward();
    } catch (IOException e) {
      remove();
      abort("this machine provides no network namespaces: " + e.getMessage());
    } catch (RuntimeException | Error e) {
      remove();
      throw e;
    }
  }

  private void wire(Host host) throws IOException {
    ip(
        "link",
        "add",
        "eth0",
        "netns",
        name + host,
        "type",
        "veth",
        "peer",
        "name",
        port(host),
        "netns",
        name + ROUTER);
    ip("-n", name + ROUTER, "addr", "add", host.router + "/24", "dev", port(host));
    ip("-n", name + ROUTER, "link", "set", port(host), "up");
    ip("-n", name + host, "addr", "add", host.address + "/24", "dev", "eth0");
    ip("-n", name + host, "link", "set", "eth0", "up");
    ip("-n", name + host, "route", "add", "default", "via", host.router);
  }

  private static String port(Host host) {
    return "to" + host;
  }

  private void forward() throws IOException {
    run(List.of(
        "ip",
        "netns",
        "exec",
        name + ROUTER,
        "sh",
        "-c",
        "echo 1 > /proc/sys/net/ipv4/ip_forward"));
  }

  /** Returns the command prefix that runs a command on a host. */
  public List<String> on(Host host) {
    return List.of("ip", "netns", "exec", name + host);
  }

  /**
   * A second cable, from host to host: 10.78.0.1 of A, 10.78.0.2 of B.
   *
   * <pre>
   *   A  10.78.0.1 ----------------------- 10.78.0.2  B
   * </pre>
   */
  public void addCable() {
    change(
        "link",
        "add",
        SECOND,
        "netns",
        name + Host.A,
        "type",
        "veth",
        "peer",
        "name",
        SECOND,
        "netns",
        name + Host.B);
    int number = 1;
    for (Host host : Host.values()) {
      change("-n", name + host, "addr", "add", "10.78.0." + number++ + "/24", "dev", SECOND);
      change("-n", name + host, "link", "set", SECOND, "up");
    }
  }

  /** Removes the interfaces at both ends. */
  public void removeCable() {
    change("-n", name + Host.A, "link", "del", SECOND);
  }

  /** Pulls the second cable: the link of both hosts goes down. */
  public void unplugCable() {
    change("-n", name + Host.A, "link", "set", SECOND, "down");
  }

  public void plugCable() {
    change("-n", name + Host.A, "link", "set", SECOND, "up");
  }

  /** Pulls the cable: the link of the host goes down. */
  public void unplug(Host host) {
    change("-n", name + ROUTER, "link", "set", port(host), "down");
  }

  public void plug(Host host) {
    change("-n", name + ROUTER, "link", "set", port(host), "up");
  }

  /** Drops all packets to a host. Packets from the host arrive. */
  public void dropPacketsTo(Host host) {
    change("-n", name + ROUTER, "route", "add", "blackhole", host.address + "/32");
  }

  public void passPacketsTo(Host host) {
    change("-n", name + ROUTER, "route", "del", "blackhole", host.address + "/32");
  }

  /** Limits traffic to a host to one or two packets per second. */
  public void crawlToward(Host host) {
    control("replace", host, "tbf", "rate", "16kbit", "burst", "3kb", "latency", "50ms");
  }

  public void hurryToward(Host host) {
    control("del", host);
  }

  private void control(String how, Host host, String... discipline) {
    List<String> command = new ArrayList<>(
        List.of("tc", "-n", name + ROUTER, "qdisc", how, "dev", port(host), "root"));
    command.addAll(List.of(discipline));
    try {
      run(command);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Resets the interface as a driver does after an error: it goes down and up, and loses its routes. */
  public void resetInterface(Host host) {
    change("-n", name + host, "link", "set", "eth0", "down");
    change("-n", name + host, "link", "set", "eth0", "up");
    change("-n", name + host, "route", "replace", "default", "via", host.router);
  }

  /** Makes the connections of a host half-open: their other ends receive no notification. */
  public void takeAddress(Host host) {
    change("-n", name + host, "addr", "del", host.address + "/24", "dev", "eth0");
  }

  public void giveAddress(Host host) {
    change("-n", name + host, "addr", "add", host.address + "/24", "dev", "eth0");
    change("-n", name + host, "route", "replace", "default", "via", host.router);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    remove();
  }

  private void remove() {
    if (name != null) {
      remove(name);
    }
  }

  /** Removes the namespaces of killed test runs. */
  private static void removeStale() throws IOException {
    for (String found : namespaces()) {
      String[] parts = found.split("-", -1);
      if (found.startsWith(PREFIX) && ProcessHandle.of(Long.parseLong(parts[2])).isEmpty()) {
        remove(found);
      }
    }
  }

  private static List<String> namespaces() throws IOException {
    if (!Files.isDirectory(NAMESPACES)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(NAMESPACES)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private static void remove(String prefix) {
    try {
      for (String found : namespaces()) {
        if (found.startsWith(prefix)) {
          ip("netns", "del", found);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void change(String... arguments) {
    try {
      ip(arguments);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void ip(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(arguments));
    run(command);
  }

  /** Runs a command. A failure contains the output of the command. */
  private static void run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + ": " + output.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
