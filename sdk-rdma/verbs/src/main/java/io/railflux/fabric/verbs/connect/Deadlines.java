package io.railflux.fabric.verbs.connect;

import io.railflux.fabric.FabricContext;
import io.railflux.fabric.verbs.device.Sleeper;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Time-outs, checked while polling by the clock of the engine. Engine thread only. */
public final class Deadlines {

  private static final long WAKE_LATER_NANOS = 2_000_000L;

  private final FabricContext context;
  private final Sleeper sleeper;
  private final List<Entry> entries = new ArrayList<>();

  /** An operation with a time-out. */
  public interface Bounded {
    void expired();
  }

  private static final class Entry {
    final Bounded bounded;
    final long atNanos;

    /** Also read by the waking thread. */
    volatile boolean over;

    Entry(Bounded bounded, long atNanos) {
      this.bounded = bounded;
      this.atNanos = atNanos;
    }
  }

  public Deadlines(FabricContext context, Sleeper sleeper) {
    this.context = context;
    this.sleeper = sleeper;
  }

  public void add(Bounded bounded, long nanos) {
    Entry entry = new Entry(bounded, context.nowNanos() + nanos);
    entries.add(entry);
    // The engine may sleep by then; late enough that its clock has passed the deadline.
    long wakeAfter = nanos + WAKE_LATER_NANOS;
    Executor later = CompletableFuture.delayedExecutor(wakeAfter, TimeUnit.NANOSECONDS);
    later.execute(() -> {
      if (!entry.over) {
        sleeper.wake();
      }
    });
  }

  public void remove(Bounded bounded) {
    for (Iterator<Entry> i = entries.iterator(); i.hasNext(); ) {
      Entry entry = i.next();
      if (entry.bounded == bounded) {
        entry.over = true;
        i.remove();
      }
    }
  }

  public void expire() {
    if (entries.isEmpty()) {
      return;
    }
    long now = context.nowNanos();
    for (Entry entry : new ArrayList<>(entries)) {
      if (!entry.over && now - entry.atNanos >= 0) {
        remove(entry.bounded);
        entry.bounded.expired();
      }
    }
  }

  /** Cancels all wake-ups. */
  public void clear() {
    entries.forEach(entry -> entry.over = true);
    entries.clear();
  }
}
