package io.railflux.engine;

import io.netty.channel.IoEventLoop;
import java.util.SplittableRandom;

/** An engine without a thread of its own: whoever calls {@link #step} is its thread. */
final class SteppedHost implements EngineHost, AutoCloseable {

  private final SplittableRandom random = new SplittableRandom();
  private final IoLoop io = new IoLoop(() -> false, IoLoop.fastest());
  private final Engine engine;

  SteppedHost(String nodeName) {
    io.begin();
    engine = new Engine(EngineConfig.defaults(nodeName), this, System.nanoTime());
  }

  Engine engine() {
    return engine;
  }

  /** One duty cycle. */
  void step() {
    engine.dutyCycle(System.nanoTime());
  }

  @Override
  public boolean inEngine() {
    return true;
  }

  @Override
  public void wakeUp() {
    // It never sleeps.
  }

  @Override
  public long randomLong() {
    return random.nextLong();
  }

  @Override
  public IoEventLoop eventLoop() {
    return io.eventLoop();
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
