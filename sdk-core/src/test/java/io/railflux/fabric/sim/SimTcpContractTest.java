package io.railflux.fabric.sim;

import io.railflux.fabric.FabricContract;
import io.railflux.fabric.FabricFixture;

/** A fabric whose small writes become visible atomically. */
class SimTcpContractTest extends FabricContract {

  @Override
  protected FabricFixture openFixture() {
    return new SimFixture(Seeds.seed(), SimConfig.tcp());
  }
}
