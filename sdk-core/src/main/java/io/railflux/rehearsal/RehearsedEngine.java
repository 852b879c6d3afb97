package io.railflux.rehearsal;

import io.railflux.engine.Engine;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.EngineHost;
import io.railflux.engine.base.Security;
import io.railflux.fabric.sim.SimHost;
import io.railflux.fabric.sim.SimNetwork;
import io.railflux.policy.StripingPolicy;

/** Drives an engine in virtual time: a cycle, and the next one a moment later. Single-threaded. */
final class RehearsedEngine implements EngineHost {

  private static final long CYCLE_NANOS = 1_000;

  private final SimNetwork network;
  private final SimHost host;
  private final Engine engine;
  private boolean driving;
  private boolean closed;

  RehearsedEngine(SimNetwork network, String name) {
    this.network = network;
    this.host = network.host(name);
    this.engine = new Engine(config(name), this, network.now());
    engine.addRail(host.provider(0));
    again();
  }

  private static EngineConfig config(String name) {
    EngineConfig.Limits small =
        EngineConfig.Limits.DEFAULT.withRingBytes(EngineConfig.Limits.MIN_RING_BYTES);
    return new EngineConfig(
        name,
        small,
        EngineConfig.Large.DEFAULT,
        EngineConfig.Timing.DEFAULT,
        StripingPolicy::byDefault,
        Security.DEFAULT);
  }

  Engine engine() {
    return engine;
  }

  private void again() {
    host.schedule(CYCLE_NANOS, this::cycle);
  }

  private void cycle() {
    if (!closed) {
      driving = true;
      engine.dutyCycle(network.now());
      driving = false;
      again();
    }
  }

  void close() {
    closed = true;
    engine.close("the rehearsal is over");
  }

  @Override
  public boolean inEngine() {
    return driving;
  }

  /** Does nothing, because this engine never sleeps. */
  @Override
  public void wakeUp() {}

  @Override
  public long randomLong() {
    return network.randomLong();
  }

  @Override
  public int pollIo() {
    return 0;
  }
}
