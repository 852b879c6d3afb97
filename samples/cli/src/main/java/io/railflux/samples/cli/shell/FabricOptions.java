package io.railflux.samples.cli.shell;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Which network, and where on it: the options of every command that has two sides. An address is a
 * location such as {@code host:port} or, over shared memory, a name; the name of its fabric may stand
 * before it, as in {@code tcp:host:port}.
 */
public final class FabricOptions {

  @Option(
      names = "--fabric",
      defaultValue = Fabrics.AUTO,
      paramLabel = "NAME",
      description =
          "shm, tcp, verbs, disni or auto; default auto: shm within a host, tcp between hosts.")
  private String fabric;

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS",
      description = "Accepts the side with --connect: host:port, or a name over shm.")
  private String listen;

  @Option(
      names = "--connect",
      paramLabel = "ADDRESS",
      description = "Connects to the side with --listen.")
  private String connect;

  @Mixin
  private Secrecy secrecy;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Refuses what makes no sense for a command that is one side only. */
  public void checkOneSide() {
    if (listen != null && connect != null) {
      throw new ParameterException(
          command.commandLine(), "--listen and --connect exclude each other");
    }
  }

  /** As it was given: a name, or {@link Fabrics#AUTO}. */
  public String fabric() {
    return fabric;
  }

  /** Address to listen at, its fabric before it; null when none was given. */
  public String listen() {
    return listen == null ? null : address(listen);
  }

  /** Address to connect to, its fabric before it; null when none was given. */
  public String connect() {
    return connect == null ? null : address(connect);
  }

  /** The fabrics of both addresses; without any, the one for processes of this host. */
  public Network network() {
    Set<String> names = new LinkedHashSet<>();
    for (String address : new String[] {listen(), connect()}) {
      if (address != null) {
        names.add(address.substring(0, address.indexOf(':')));
      }
    }
    if (names.isEmpty()) {
      names.add(fabric.equals(Fabrics.AUTO) ? Fabrics.firstUsable() : fabric);
    }
    names.forEach(Fabrics::require);
    return new Network(List.copyOf(names), secrecy);
  }

  private String address(String given) {
    for (String name : Fabrics.NAMES) {
      if (given.startsWith(name + ":")) {
        if (!fabric.equals(Fabrics.AUTO) && !fabric.equals(name)) {
          throw new ParameterException(
              command.commandLine(), "--fabric " + fabric + " does not serve the address " + given);
        }
        return given;
      }
    }
    return chosenFor(given) + ":" + given;
  }

  /** Names of shared memory have no colon, every other location has. */
  private String chosenFor(String location) {
    if (!fabric.equals(Fabrics.AUTO)) {
      return fabric;
    }
    return location.contains(":") ? Fabrics.TCP : Fabrics.SHM;
  }
}
