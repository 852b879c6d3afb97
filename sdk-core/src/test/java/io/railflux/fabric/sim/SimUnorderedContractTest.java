package io.railflux.fabric.sim;

import io.railflux.fabric.FabricContract;
import io.railflux.fabric.FabricFixture;

/** A fabric whose written bytes become visible in any order. */
class SimUnorderedContractTest extends FabricContract {

  @Override
  protected FabricFixture openFixture() {
    return new SimFixture(Seeds.seed(), SimConfig.unordered());
  }
}
