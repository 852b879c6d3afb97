package io.railflux.fabric.sim;

import io.railflux.fabric.FabricContract;
import io.railflux.fabric.FabricFixture;

/** Nothing but sends and writes. */
class SimBareContractTest extends FabricContract {

  @Override
  protected FabricFixture openFixture() {
    return new SimFixture(Seeds.seed(), SimConfig.of());
  }
}
