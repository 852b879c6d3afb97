package io.railflux.samples.cli.shell;

import io.railflux.fabric.Availability;
import io.railflux.fabric.FabricProvider;
import io.railflux.fabric.shm.ShmFabricProvider;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** The fabrics the command line knows, those of this version and those that are not in it. */
public final class Fabrics {

  /** Chooses the first fabric that works here. */
  public static final String AUTO = "auto";

  private static final String USE_SHM = "use --fabric shm between processes of one host";

  private Fabrics() {}

  /** A fabric by name and whether it works here. */
  public record Known(String name, Availability availability, Optional<FabricProvider> provider) {}

  public static List<Known> all() {
    FabricProvider shm = new ShmFabricProvider();
    return List.of(
        new Known(shm.name(), shm.availability(), Optional.of(shm)),
        absent("tcp", "this version carries streams over shared memory only"),
        onClassPath("verbs", "; it needs a JDK of 22 or later"),
        onClassPath("disni", ""));
  }

  /** One of an artifact of its own, which announces itself. */
  private static Known onClassPath(String name, String needs) {
    for (FabricProvider found : ServiceLoader.load(FabricProvider.class)) {
      if (found.name().equals(name)) {
        return new Known(name, found.availability(), Optional.of(found));
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

  private static Known absent(String name, String reason) {
    return new Known(
        name, Availability.no("not in this version: " + reason, USE_SHM), Optional.empty());
  }

  /** The provider of that name; {@link CommandFailure} with reason and remedy when it cannot serve. */
  public static FabricProvider require(String name) {
    for (Known known : all()) {
      boolean usable = known.provider().isPresent() && known.availability().available();
      if (usable && (name.equals(AUTO) || name.equals(known.name()))) {
        return known.provider().orElseThrow();
      }
      if (name.equals(known.name())) {
        throw unavailable(known);
      }
    }
    if (name.equals(AUTO)) {
      throw unavailable(all().get(0));
    }
    throw new CommandFailure("no fabric is called '" + name + "'; choose " + AUTO + " or one of "
        + String.join(", ", all().stream().map(Known::name).toList()));
  }

  private static CommandFailure unavailable(Known known) {
    return new CommandFailure("fabric " + known.name() + " is not available: "
        + known.availability().reason() + "; " + known.availability().remedy());
  }
}
