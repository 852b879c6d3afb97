package io.railflux.fabric.shm;

import io.railflux.fabric.FabricContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.security.SecureRandom;

/** The part of an engine that a fabric needs: a selector, a clock, random numbers. */
final class Loop implements FabricContext, AutoCloseable {

  private final Selector selector;
  private final SecureRandom random = new SecureRandom();
  private volatile boolean woken;
  private long aheadNanos;

  Loop() {
    try {
      selector = Selector.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes time pass at once. */
  void advance(long nanos) {
    aheadNanos += nanos;
  }

  @Override
  public long nowNanos() {
    return System.nanoTime() + aheadNanos;
  }

  @Override
  public long randomLong() {
    return random.nextLong();
  }

  @Override
  public void wakeUp() {
    woken = true;
    selector.wakeup();
  }

  @Override
  public void watch(SelectableChannel channel, Runnable onReady) throws IOException {
    boolean accepts = channel instanceof ServerSocketChannel;
    channel.register(selector, accepts ? SelectionKey.OP_ACCEPT : SelectionKey.OP_READ, onReady);
  }

  @Override
  public int pollWatched() {
    try {
      return selector.selectNow(Loop::run);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Sleeps like an engine with nothing to do.
   *
   * @return whether something woke it before the time was up
   */
  boolean sleep(long millis) {
    long deadline = System.nanoTime() + millis * 1_000_000;
    boolean ready = false;
    try {
      // A wake-up asked for by handlers of the last sleep ends one select too many.
      for (long left = millis; !woken && !ready && left > 0; ) {
        ready = selector.select(Loop::run, left) > 0;
        left = (deadline - System.nanoTime()) / 1_000_000;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    boolean result = ready || woken;
    // Awake now: what handlers asked for in the meantime is granted.
    woken = false;
    return result;
  }

  @Override
  public void close() {
    try {
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void run(SelectionKey key) {
    ((Runnable) key.attachment()).run();
  }
}
