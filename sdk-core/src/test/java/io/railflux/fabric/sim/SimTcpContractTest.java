package io.railflux.fabric.sim;

import io.railflux.fabric.FabricContract;
import io.railflux.fabric.FabricFixture;

/** Small writes are shown at once. */
class SimTcpContractTest extends FabricContract {

  @Override
  protected FabricFixture openFixture() {
    return new SimFixture(Seeds.seed(), SimConfig.tcp());
  }
}
