package io.railflux.fabric.verbs;

import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Availability;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.FabricProvider;
import io.railflux.fabric.verbs.internal.NativeFailure;

/**
 * RDMA devices through libibverbs and librdmacm, on Linux, Java 22 and later.
 *
 * <p>Locations are {@code host:port}; {@code host:port@source} connects from a local address of the
 * caller's choice, {@code *:port} listens at every RDMA device, port 0 has one chosen.
 */
public final class VerbsFabricProvider implements FabricProvider {

  static final String NAME = "verbs";

  /** Through whatever devices are here. */
  public VerbsFabricProvider() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Availability availability() {
    return VerbsAvailability.ofThisHost().check();
  }

  @Override
  public Fabric open(FabricContext context) {
    Availability availability = availability();
    if (!availability.available()) {
      throw new FabricUnavailableException(NAME, availability.reason(), availability.remedy());
    }
    try {
      return assemble(context);
    } catch (NativeFailure e) {
      throw VerbsFabric.unavailable("cannot open RDMA devices", e);
    } catch (UnknownLayoutException e) {
      throw new FabricUnavailableException(
          NAME,
          "the installed libibverbs is laid out in an unknown way: " + e.getMessage(),
          LibraryVersion.REMEDY,
          e);
    }
  }

  private static Fabric assemble(FabricContext context) throws NativeFailure {
    Sleeper sleeper = new Sleeper(context::wakeUp);
    Connections connections = null;
    try {
      connections = new Connections(sleeper);
      return new VerbsFabric(context, sleeper, connections, new Devices(sleeper));
    } catch (NativeFailure | RuntimeException e) {
      sleeper.close();
      if (connections != null) {
        connections.close();
      }
      throw e;
    }
  }
}
