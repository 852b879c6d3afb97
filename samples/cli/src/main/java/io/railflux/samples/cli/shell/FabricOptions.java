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
 * Options of a command with two sides: the fabric and the addresses. An address is a location: {@code host:port}, or a
 * name over shared memory. The fabric may precede it, as in {@code tcp:host:port}.
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

  /** Rejects combinations that are invalid for a command with one side. */
  public void checkOneSide() {
    if (listen != null && connect != null) {
      throw new ParameterException(
          command.commandLine(), "--listen and --connect exclude each other");
    }
  }

  /** Returns the fabric as given: a name, or {@link Fabrics#AUTO}. */
  public String fabric() {
    return fabric;
  }

  /** Returns the listening address with its fabric, or null. */
  public String listen() {
    return listen == null ? null : address(listen);
  }

  /** Returns the peer's address with its fabric, or null. */
  public String connect() {
    return connect == null ? null : address(connect);
  }

  /** Returns the fabrics of both addresses. Without addresses, returns the fabric for processes of this host. */
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

  /** Names of shared memory contain no colon. Every other location does. */
  private String chosenFor(String location) {
    if (!fabric.equals(Fabrics.AUTO)) {
      return fabric;
    }
    return location.contains(":") ? Fabrics.TCP : Fabrics.SHM;
  }
}
