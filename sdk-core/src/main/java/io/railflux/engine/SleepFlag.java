package io.railflux.engine;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Says that the engine sleeps or is about to: whoever has work for it looks here and wakes it, once.
 *
 * <p>The sleeper sets it and then looks for work; the others hand work over and then look at it. No
 * work is slept over because both put their write before their read: setting is a volatile write, and
 * so must be the handing over (a queue's exchange, a flag). A release alone would not do: it may take
 * effect after the look.
 */
final class SleepFlag {

  private final AtomicBoolean asleep = new AtomicBoolean();

  /** The engine will sleep unless it finds work in the look that follows. */
  void set() {
    asleep.set(true);
  }

  /** Whether nobody took it: then nobody woke the engine yet. */
  boolean isSet() {
    return asleep.get();
  }

  void clear() {
    asleep.set(false);
  }

  /** Whether the caller owes the wake-up: one of many. Any thread. */
  boolean take() {
    // Looked at first: an engine that is awake costs its users no exclusive cache line.
    return asleep.get() && asleep.compareAndSet(true, false);
  }
}
