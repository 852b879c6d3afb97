package io.railflux.engine;

import java.util.List;

/** Which subchannel the next message waits for that has no room, and how long (CreditBackoff). Engine thread only. */
final class CreditPatience {

  private final Engine engine;
  private final long patienceNanos;
  private Subchannel awaited;
  private long sinceNanos;
  private boolean looks;

  CreditPatience(Engine engine) {
    this.engine = engine;
    this.patienceNanos = engine.config().timing().creditPatienceNanos();
  }

  /** The place of the one that is waited for; -1 where the policy may choose. */
  int awaited(List<Subchannel> live) {
    return awaited == null ? -1 : live.indexOf(awaited);
  }

  /** Whether a message is to wait for the one that was chosen, rather than to go over another one now. */
  boolean waitsFor(Subchannel chosen) {
    if (patienceNanos == 0) {
      return false;
    }
    long now = engine.nowNanos();
    if (awaited != chosen) {
      awaited = chosen;
      sinceNanos = now;
      lookAt(now + patienceNanos);
    }
    return now - sinceNanos < patienceNanos;
  }

  /**
   * The others may have room all the time: nothing else would wake the engine for it. One timer for all that is
   * waited for: each would stay until it is due, and patience may last longer than most waits by far.
   */
  private void lookAt(long dueNanos) {
    if (!looks) {
      looks = true;
      engine.timers().at(dueNanos, this::look);
    }
  }

  private void look() {
    looks = false;
    long untilNanos = sinceNanos + patienceNanos;
    // Set for one that was waited for before: this one's patience lasts longer.
    if (awaited != null && untilNanos - engine.nowNanos() > 0) {
      lookAt(untilNanos);
    }
  }

  /** The message has gone. */
  void over() {
    awaited = null;
  }
}
