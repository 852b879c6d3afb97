package io.railflux.fabric;

import io.railflux.engine.IoLoop;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** An engine's surroundings without the engine: real time, real channels, sleep on demand. */
public class RealContext implements FabricContext, AutoCloseable {

  private final IoLoop io;
  private final SecureRandom random = new SecureRandom();
  private final AtomicBoolean woken = new AtomicBoolean();

  /** Driven by the thread that makes it. */
  public RealContext() {
    this(IoLoop.fastest(System::nanoTime));
  }

  /** Driven by the thread that makes it. */
  public RealContext(IoLoop io) {
    this.io = io;
    io.begin();
  }

  @Override
  public long nowNanos() {
    return System.nanoTime();
  }

  @Override
  public long randomLong() {
    return random.nextLong();
  }

  @Override
  public void wakeUp() {
    woken.set(true);
    io.wakeUp();
  }

  @Override
  public SocketLoop socketLoop() {
    return io;
  }

  @Override
  public int pollIo() {
    return io.runNow();
  }

  /** Sleeps at most so long; true when a fabric asked for the end of the sleep. */
  public boolean sleep(long millis) {
    io.sleep(TimeUnit.MILLISECONDS.toNanos(millis));
    return woken.getAndSet(false);
  }

  @Override
  public void close() {
    io.close();
  }
}
