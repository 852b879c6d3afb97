package io.railflux.engine;

import io.netty.channel.IoEventLoop;
import io.railflux.fabric.FabricContext;
import java.io.IOException;
import java.nio.channels.SelectableChannel;

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
  public void watch(SelectableChannel channel, Runnable onReady) throws IOException {
    host.watch(channel, onReady);
  }

  @Override
  public int pollWatched() {
    return host.pollWatched();
  }
}
