package io.railflux.fabric;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicBoolean;

/** An engine's surroundings without the engine: real time, real channels, sleep on demand. */
public final class RealContext implements FabricContext, AutoCloseable {

  private final Selector selector;
  private final SecureRandom random = new SecureRandom();
  private final AtomicBoolean woken = new AtomicBoolean();

  public RealContext() throws IOException {
    selector = Selector.open();
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
    selector.wakeup();
  }

  @Override
  public void watch(SelectableChannel channel, Runnable onReady) throws IOException {
    int reading = SelectionKey.OP_READ | SelectionKey.OP_ACCEPT;
    channel.register(selector, channel.validOps() & reading, onReady);
  }

  @Override
  public int pollWatched() {
    try {
      return selector.selectNow(RealContext::run);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sleeps at most so long; true when woken or when a watched channel was ready. */
  public boolean sleep(long millis) {
    try {
      int ready = woken.get() ? 0 : selector.select(RealContext::run, millis);
      return woken.getAndSet(false) || ready > 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void run(SelectionKey key) {
    ((Runnable) key.attachment()).run();
  }

  @Override
  public void close() {
    try {
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
