package io.railflux.samples.bench.engine;

import io.railflux.engine.Engine;
import io.railflux.engine.IoLoop;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.EngineHost;
import io.railflux.fabric.SocketLoop;
import java.util.SplittableRandom;

/** An engine without a thread. The caller of {@link #step} is its thread. */
final class SteppedHost implements EngineHost, AutoCloseable {

  private final SplittableRandom random = new SplittableRandom();
  private final IoLoop io = IoLoop.fastest(System::nanoTime);
  private final Engine engine;

  SteppedHost(String nodeName) {
    io.begin();
    engine = new Engine(EngineConfig.defaults(nodeName), this, System.nanoTime());
  }

  Engine engine() {
    return engine;
  }

  /** Runs one duty cycle. */
  void step() {
    engine.dutyCycle(System.nanoTime());
  }

  @Override
  public boolean inEngine() {
    return true;
  }

  @Override
  public void wakeUp() {
    // The engine never sleeps.
  }

  @Override
  public long randomLong() {
    return random.nextLong();
  }

  @Override
  public SocketLoop socketLoop() {
    return io;
  }

  @Override
  public int pollIo() {
    return io.runNow();
  }

  @Override
  public void close() {
    engine.close("the benchmark is over");
    io.close();
  }
}
