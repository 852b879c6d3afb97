package io.railflux.fabric.faults;

import io.railflux.fabric.FabricContract;
import io.railflux.fabric.FabricFixture;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.fabric.sim.SimFixture;

/** Delayed completions satisfy the contract. */
class DelayedFabricContractTest extends FabricContract {

  @Override
  protected FabricFixture openFixture() {
    long seed = Long.getLong("railflux.sim.seed", 1);
    FaultConfig faults = FaultConfig.seed(seed).withDelays(0.4, 3);
    return new SimFixture(
        seed, SimConfig.rdma(), provider -> new FaultyFabricProvider(provider, faults));
  }
}
