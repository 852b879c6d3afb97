package io.railflux.samples.cli.shell;

import io.railflux.fabric.Availability;
import io.railflux.fabric.FabricProvider;
import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.fabric.tcp.TcpFabricProvider;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** The fabrics of the command line: those of the core and those on the class path. */
public final class Fabrics {

  /** Selects by address, or selects the first fabric that works on this machine. */
  public static final String AUTO = "auto";

  static final List<String> NAMES = List.of("shm", "tcp", "verbs", "disni");
  static final String SHM = "shm";
  static final String TCP = "tcp";
  static final String VERBS = "verbs";

  private Fabrics() {}

  /** A fabric and whether it works on this machine. */
  public record Known(String name, Availability availability, Optional<FabricProvider> provider) {

    boolean usable() {
      return provider.isPresent() && availability.available();
    }
  }

  /** Returns the fabrics in the order of preference of {@link #AUTO} on one host. */
  public static List<Known> all() {
    return List.of(
        present(new ShmFabricProvider()),
        present(new TcpFabricProvider()),
        onClassPath("verbs", "; it needs a JDK of 22 or later"),
        onClassPath("disni", ""));
  }

  private static Known present(FabricProvider provider) {
    return new Known(provider.name(), provider.availability(), Optional.of(provider));
  }

  /** Returns a fabric of a separate artifact, if its service is on the class path. */
  private static Known onClassPath(String name, String needs) {
    for (FabricProvider found : ServiceLoader.load(FabricProvider.class)) {
      if (found.name().equals(name)) {
        return present(found);
      }
    }
    String artifact = "railflux-" + name;
    return new Known(
        name,
        Availability.no(
            artifact + " is not on the class path",
            "add io.railflux:" + artifact + " to it" + needs),
        Optional.empty());
  }

  /** Returns the fabric with a name, available or not. Throws {@link CommandFailure} for an unknown name. */
  public static Known known(String name) {
    return all().stream()
        .filter(known -> known.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new CommandFailure("no fabric has the name '" + name + "'; choose "
            + AUTO + " or one of " + String.join(", ", NAMES)));
  }

  /** Returns the provider with a name. Throws {@link CommandFailure} with reason and remedy if it is not available. */
  static FabricProvider require(String name) {
    Known known = known(name);
    if (!known.usable()) {
      throw new CommandFailure("fabric " + known.name() + " is not available: "
          + known.availability().reason() + "; " + known.availability().remedy());
    }
    return known.provider().orElseThrow();
  }

  /** Returns the fabric for processes of this host. */
  static String firstUsable() {
    return all().stream()
        .filter(Known::usable)
        .findFirst()
        .orElseThrow(() -> new CommandFailure("no fabric works here; see railflux doctor"))
        .name();
  }
}
