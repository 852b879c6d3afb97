package io.railflux.fabric.disni;

import io.railflux.fabric.FabricContract;
import io.railflux.fabric.FabricFixture;

class FakeContractTest extends FabricContract {

  @Override
  protected FabricFixture openFixture() throws Exception {
    return new FakeFixture();
  }
}
