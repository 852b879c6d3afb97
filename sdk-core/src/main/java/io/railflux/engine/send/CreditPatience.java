package io.railflux.engine.send;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.EngineContext;
import io.railflux.engine.base.Timers;
import io.railflux.engine.path.Subchannel;
import java.util.List;

/**
 * The subchannel without room for which the next message waits, and the time of the wait (CreditBackoff). Engine
 * thread only.
 */
public final class CreditPatience {

  private final EngineContext engine;
  private final Timers timers;
  private final long patienceNanos;
  private Subchannel awaited;
  private long sinceNanos;
  private boolean looks;

  public CreditPatience(EngineContext engine) {
    this.engine = engine;
    this.timers = engine.timers();
    EngineConfig config = engine.config();
    this.patienceNanos = config.timing().creditPatienceNanos();
  }

  /** Ends all waits with the channel. */
  void end() {
    awaited = null;
  }

  /** Returns the index of the awaited subchannel; -1 if the policy may choose. */
  int awaited(List<Subchannel> live) {
    return awaited == null ? -1 : live.indexOf(awaited);
  }

  /** Whether a message has to wait for the chosen subchannel instead of using another one now. */
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
   * Wakes the engine, because the other subchannels may have room all the time and cause no event. All waits share
   * one timer: separate timers would stay until due, and patience lasts longer than most waits.
   */
  private void lookAt(long dueNanos) {
    if (!looks) {
      looks = true;
      timers.at(dueNanos, this::look);
    }
  }

  private void look() {
    looks = false;
    long untilNanos = sinceNanos + patienceNanos;
    // The timer was set for an earlier wait; the current one ends later.
    if (awaited != null && untilNanos - engine.nowNanos() > 0) {
      lookAt(untilNanos);
    }
  }

  /** Ends the wait: the message was sent. */
  void over() {
    awaited = null;
  }
}
