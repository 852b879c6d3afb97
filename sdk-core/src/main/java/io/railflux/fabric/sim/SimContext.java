package io.railflux.fabric.sim;

import io.railflux.fabric.FabricContext;

/** Virtual clock and seeded numbers of one process. */
final class SimContext implements FabricContext {

  private final SimHost host;
  private final int life;
  private final Runnable onWake;

  SimContext(SimHost host, int life, Runnable onWake) {
    this.host = host;
    this.life = life;
    this.onWake = onWake;
  }

  @Override
  public long nowNanos() {
    return host.network().now();
  }

  @Override
  public long randomLong() {
    return host.network().randomLong();
  }

  @Override
  public void wakeUp() {
    if (host.livesIn(life)) {
      onWake.run();
    }
  }

  @Override
  public int pollIo() {
    return 0;
  }
}
