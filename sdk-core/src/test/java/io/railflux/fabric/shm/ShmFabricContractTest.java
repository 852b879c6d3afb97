package io.railflux.fabric.shm;

import io.railflux.engine.IoLoop;
import io.railflux.fabric.FabricContract;
import io.railflux.fabric.FabricFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(value = OS.LINUX, disabledReason = "shared memory needs Linux")
@Tag("RV5")
class ShmFabricContractTest extends FabricContract {

  @Override
  protected FabricFixture openFixture() throws Exception {
    return new ShmFixture(() -> IoLoop.fastest(System::nanoTime));
  }
}
