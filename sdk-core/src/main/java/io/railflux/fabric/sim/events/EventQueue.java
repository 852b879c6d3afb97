package io.railflux.fabric.sim.events;

import java.util.Comparator;
import java.util.PriorityQueue;

/** Virtual time: events ordered by time, then by scheduling. */
public final class EventQueue {

  private record Event(long time, long sequence, EventKind kind, long subject, Runnable action) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::time).thenComparingLong(Event::sequence));
  private final Trace trace;
  private long now;
  private long nextSequence;

  public EventQueue(Trace trace) {
    this.trace = trace;
  }

  public long now() {
    return now;
  }

  public int size() {
    return events.size();
  }

  public long nextAt() {
    Event next = events.peek();
    return next == null ? Long.MAX_VALUE : next.time();
  }

  public void at(long time, EventKind kind, long subject, Runnable action) {
    events.add(new Event(Math.max(now, time), nextSequence++, kind, subject, action));
  }

  public void after(long delayNanos, EventKind kind, long subject, Runnable action) {
    long time = now + Math.max(0, delayNanos);
    at(time < 0 ? Long.MAX_VALUE : time, kind, subject, action);
  }

  /** Runs the next event; false without one. */
  public boolean step() {
    Event next = events.poll();
    if (next == null) {
      return false;
    }
    now = next.time();
    trace.record(now, next.kind(), next.subject(), 0);
    next.action().run();
    return true;
  }

  public void advanceTo(long time) {
    now = Math.max(now, time);
  }
}
