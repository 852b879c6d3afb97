package io.railflux.fabric;

import io.railflux.engine.IoLoop;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** The surroundings of an engine, without an engine: real time, real channels, sleep on demand. */
public class RealContext implements FabricContext, AutoCloseable {

  private final IoLoop io;
  private final SecureRandom random = new SecureRandom();
  private final AtomicBoolean woken = new AtomicBoolean();

  /** Creates a context that the calling thread drives. */
  public RealContext() {
    this(IoLoop.fastest(System::nanoTime));
  }

  /** Creates a context that the calling thread drives. */
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

  /** Sleeps for at most {@code millis}. Returns true if a fabric woke the thread. */
  public boolean sleep(long millis) {
    io.sleep(TimeUnit.MILLISECONDS.toNanos(millis));
    return woken.getAndSet(false);
  }

  @Override
  public void close() {
    io.close();
  }
}
