package io.railflux.fabric.tcp;

import io.netty.channel.nio.NioIoHandler;
import io.railflux.engine.NettyLoop;
import io.railflux.fabric.FabricContract;
import io.railflux.fabric.FabricFixture;
import io.railflux.fabric.RealFixture;

/** The contract without epoll. */
class TcpOverNioContractTest extends FabricContract {

  @Override
  protected FabricFixture openFixture() throws Exception {
    return new RealFixture(
        new TcpFabricProvider(),
        number -> TcpFabricContractTest.freeLocation(),
        () -> new NettyLoop(NioIoHandler.newFactory()));
  }
}
