package io.railflux.fabric.shm;

import io.netty.channel.nio.NioIoHandler;
import io.railflux.engine.NettyLoop;
import io.railflux.fabric.FabricContract;
import io.railflux.fabric.FabricFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The contract without epoll. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "shared memory needs Linux")
@Tag("RV5")
class ShmOverNioContractTest extends FabricContract {

  @Override
  protected FabricFixture openFixture() throws Exception {
    return new ShmFixture(() -> new NettyLoop(NioIoHandler.newFactory()));
  }
}
