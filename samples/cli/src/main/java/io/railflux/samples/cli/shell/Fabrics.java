package io.railflux.samples.cli.shell;

import io.railflux.fabric.Availability;
import io.railflux.fabric.FabricProvider;
import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.fabric.tcp.TcpFabricProvider;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** The fabrics the command line knows: those of the core and those found on the class path. */
public final class Fabrics {

  /** Chooses by address, or the first fabric that works here. */
  public static final String AUTO = "auto";

  static final List<String> NAMES = List.of("shm", "tcp", "verbs", "disni");
  static final String SHM = "shm";
  static final String TCP = "tcp";
  static final String VERBS = "verbs";

  private Fabrics() {}

  /** A fabric by name and whether it works here. */
  public record Known(String name, Availability availability, Optional<FabricProvider> provider) {

    boolean usable() {
      return provider.isPresent() && availability.available();
    }
  }

  /** In the order in which {@link #AUTO} prefers them on one host. */
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

  /** One of an artifact of its own, which announces itself. */
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

  /** The fabric of that name, whether it works or not; {@link CommandFailure} when there is none. */
  public static Known known(String name) {
    return all().stream()
        .filter(known -> known.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new CommandFailure("no fabric is called '" + name + "'; choose " + AUTO
            + " or one of " + String.join(", ", NAMES)));
  }

  /** The provider of that name; {@link CommandFailure} with reason and remedy when it cannot serve. */
  static FabricProvider require(String name) {
    Known known = known(name);
    if (!known.usable()) {
      throw new CommandFailure("fabric " + known.name() + " is not available: "
          + known.availability().reason() + "; " + known.availability().remedy());
    }
    return known.provider().orElseThrow();
  }

  /** The one for processes of this host. */
  static String firstUsable() {
    return all().stream()
        .filter(Known::usable)
        .findFirst()
        .orElseThrow(() -> new CommandFailure("no fabric works here; see railflux doctor"))
        .name();
  }
}
