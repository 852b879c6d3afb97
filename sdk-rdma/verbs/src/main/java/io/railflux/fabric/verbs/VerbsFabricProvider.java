package io.railflux.fabric.verbs;

import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Availability;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.FabricProvider;
import io.railflux.fabric.verbs.connect.VerbsConnections;
import io.railflux.fabric.verbs.device.Sleeper;
import io.railflux.fabric.verbs.device.UnknownLayoutException;
import io.railflux.fabric.verbs.internal.NativeFailure;

/**
 * RDMA devices through libibverbs and librdmacm, on Linux with Java 22 and later.
 *
 * <p>Locations are {@code host:port}. {@code host:port@source} connects from the given local address, {@code *:port}
 * listens on every RDMA device, and port 0 selects a free port.
 */
public final class VerbsFabricProvider implements FabricProvider {

  static final String NAME = "verbs";

  /** Creates a provider of the RDMA devices of this host. */
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
          "the installed libibverbs has an unknown layout: " + e.getMessage(),
          LibraryVersion.REMEDY,
          e);
    }
  }

  private static Fabric assemble(FabricContext context) throws NativeFailure {
    Sleeper sleeper = new Sleeper(context::wakeUp);
    VerbsConnections connections = null;
    try {
      connections = new VerbsConnections(sleeper);
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
