package io.railflux.fabric.sim;

import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Availability;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.FabricProvider;

/** One rail of one host. */
final class SimProvider implements FabricProvider {

  private final SimHost host;
  private final int rail;

  SimProvider(SimHost host, int rail) {
    this.host = host;
    this.rail = host.checkedRail(rail);
  }

  @Override
  public String name() {
    return host.railName(rail);
  }

  @Override
  public Availability availability() {
    return host.alive()
        ? Availability.yes("simulated rail " + rail + " of " + host.name())
        : Availability.no("the process on " + host.name() + " is dead", "restart the host");
  }

  @Override
  public Fabric open(FabricContext context) {
    Availability availability = availability();
    if (!availability.available()) {
      throw new FabricUnavailableException(name(), availability.reason(), availability.remedy());
    }
    return host.fabric(rail, context);
  }
}
