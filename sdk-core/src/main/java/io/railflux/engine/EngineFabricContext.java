package io.railflux.engine;

import io.railflux.engine.base.EngineHost;
import io.railflux.fabric.Checksum;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.Protection;
import io.railflux.fabric.SocketLoop;

/** Services of the engine for its fabrics. */
record EngineFabricContext(Engine engine, EngineHost host) implements FabricContext {

  @Override
  public long nowNanos() {
    return host.nowNanos(engine.nowNanos());
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
  public SocketLoop socketLoop() {
    return host.socketLoop();
  }

  @Override
  public boolean justSlept() {
    return host.justSlept();
  }

  @Override
  public Checksum checksum(Protection protection) {
    return engine.config().security().checksum(protection);
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
