package io.railflux.fabric.sim;

import io.railflux.fabric.FabricContract;
import io.railflux.fabric.FabricFixture;

/** A fabric with sends and writes only. */
class SimBareContractTest extends FabricContract {

  @Override
  protected FabricFixture openFixture() {
    return new SimFixture(Seeds.seed(), SimConfig.of());
  }
}
