package io.railflux.engine;

import io.netty.channel.IoEventLoop;
import io.railflux.fabric.FabricContext;

/** What an engine lends to its fabrics. */
record EngineFabricContext(Engine engine, EngineHost host) implements FabricContext {

  @Override
  public long nowNanos() {
    return engine.nowNanos();
  }

  @Override
  public long randomLong() {
    return host.randomLong();
  }

  @Override
  public void wakeUp() {
    host.wakeUp();
  }

  @Override
  public IoEventLoop eventLoop() {
    return host.eventLoop();
  }

  @Override
  public boolean justSlept() {
    return host.justSlept();
  }

  @Override
  public int pollIo() {
    int ran = host.pollIo();
    if (ran > 0) {
      engine.ioRan();
    }
    return ran;
  }
}
