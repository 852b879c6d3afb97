package io.railflux.fabric.shm;

import io.railflux.engine.SelectorLoop;
import io.railflux.fabric.FabricContract;
import io.railflux.fabric.FabricFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The contract without Netty. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "shared memory needs Linux")
@Tag("RV5")
class ShmOverSelectorContractTest extends FabricContract {

  @Override
  protected FabricFixture openFixture() throws Exception {
    return new ShmFixture(() -> new SelectorLoop(System::nanoTime));
  }
}
