package io.railflux.fabric.faults;

import io.railflux.fabric.FabricContract;
import io.railflux.fabric.FabricFixture;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.fabric.sim.SimFixture;

/** As {@link DelayedFabricContractTest}, over a fabric like shared memory. */
class DelayedMappedContractTest extends FabricContract {

  @Override
  protected FabricFixture openFixture() {
    long seed = Long.getLong("railflux.sim.seed", 1);
    FaultConfig faults = FaultConfig.seed(seed).withDelays(0.4, 3);
    return new SimFixture(
        seed, SimConfig.mapped(), provider -> new FaultyFabricProvider(provider, faults));
  }
}
