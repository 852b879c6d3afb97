package io.railflux.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.scheduler.NonBlocking;

/** A JDK selector, for engines without Netty. */
public final class SelectorLoop implements IoLoop {

  private static final Logger LOG = LoggerFactory.getLogger(SelectorLoop.class);
  private static final long MILLI_NANOS = 1_000_000;

  private final LongSupplier nanoTime;
  private final Selector selector;
  private final PriorityQueue<Timer> timers = new PriorityQueue<>();
  private long lastTimer;

  /** @param nanoTime clock of the timers, as {@link System#nanoTime} */
  public SelectorLoop(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    try {
      selector = Selector.open();
    } catch (IOException e) {
      throw new UncheckedIOException("no selector: " + e.getMessage(), e);
    }
  }

  private static final class EngineSelectorThread extends Thread implements NonBlocking {

    EngineSelectorThread(Runnable task, String name) {
      super(task, name);
    }
  }

  /** Ordered by due time on the clock, then by number. */
  private record Timer(long dueNanos, long number, Runnable task) implements Comparable<Timer> {

    @Override
    public int compareTo(Timer other) {
      int byTime = Long.compare(dueNanos - other.dueNanos, 0);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Timer timer && timer.number == number;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(number);
    }
  }

  private record Key(SelectionKey key) implements Registration {

    @Override
    public void operations(int operations) {
      if (key.isValid()) {
        key.interestOps(operations);
      }
    }

    @Override
    public void close() {
      key.cancel();
    }
  }

  @Override
  public Thread newThread(Runnable task, String name) {
    return new EngineSelectorThread(task, name);
  }

  /** Does nothing: a selector needs no owner. */
  @Override
  public void begin() {}

  @Override
  public <T> Optional<T> as(Class<T> type) {
    return Optional.empty();
  }

  @Override
  public boolean takesJdkChannels() {
    return true;
  }

  @Override
  public Registration register(SelectableChannel channel, int operations, Runnable onReady)
      throws IOException {
    return new Key(channel.register(selector, operations, onReady));
  }

  @Override
  public Disposable schedule(Runnable task, long delayNanos) {
    Timer timer = new Timer(nanoTime.getAsLong() + delayNanos, ++lastTimer, task);
    timers.add(timer);
    return () -> timers.remove(timer);
  }

  @Override
  public int runNow() {
    return run(0);
  }

  @Override
  public int sleep(long nanos) {
    long wait = nanos;
    Timer next = timers.peek();
    if (next != null) {
      wait = Math.min(wait, next.dueNanos - nanoTime.getAsLong());
    }
    return run(wait);
  }

  private int run(long waitNanos) {
    try {
      int ready = waitNanos <= 0
          ? selector.selectNow(SelectorLoop::handle)
          : selector.select(SelectorLoop::handle, (waitNanos + MILLI_NANOS - 1) / MILLI_NANOS);
      return ready + runTimers();
    } catch (IOException e) {
      throw new UncheckedIOException("the selector failed: " + e.getMessage(), e);
    }
  }

  private static void handle(SelectionKey key) {
    try {
      if (key.isValid()) {
        ((Runnable) key.attachment()).run();
      }
    } catch (CancelledKeyException cancelledMeanwhile) {
      // Cancelled by an earlier event of this round.
    } catch (Throwable e) {
      LOG.error("a socket's event could not be handled", e);
    }
  }

  /** Runs the timers that are due now. Timers that they schedule run later. */
  private int runTimers() {
    if (timers.isEmpty()) {
      return 0;
    }
    int ran = 0;
    long now = nanoTime.getAsLong();
    for (Timer next = timers.peek(); next != null && next.dueNanos - now <= 0; ran++) {
      timers.remove();
      try {
        next.task.run();
      } catch (Throwable e) {
        LOG.error("a timer's task failed", e);
      }
      next = timers.peek();
    }
    return ran;
  }

  /** The selector remembers a wake-up until its next select. */
  @Override
  public void wakeUp() {
    selector.wakeup();
  }

  @Override
  public void close() {
    try {
      selector.close();
    } catch (IOException e) {
      LOG.warn("closing the selector", e);
    }
  }
}
