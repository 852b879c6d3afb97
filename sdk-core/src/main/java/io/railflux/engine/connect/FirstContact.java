package io.railflux.engine.connect;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.EngineContext;
import io.railflux.engine.base.Timers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Races the addresses of a peer for the first contact (RFC 8305). The next address is tried after a head start, or when
 * an attempt fails. The first answered attempt authenticates this side. Further answered attempts wait and replace it
 * if it fails. The peer therefore never has more than one session, and an unresponsive address causes no long delay.
 * Engine thread only.
 */
final class FirstContact {

  /**
   * Divisor of the handshake's bound that gives the head start of an address: 250 ms by default, as RFC 8305
   * recommends.
   */
  private static final int HEAD_START_PART = 20;

  /** A handshake at one address. */
  interface Contender {

    boolean isOver();

    boolean leadsTo(Destination to);

    /** Continues after the peer's answer. From here on the peer may have a session. */
    void show();

    /** Ends the handshake: another address led to the peer. */
    void leave();
  }

  private final EngineContext engine;
  private final Timers timers;
  private final long headStartNanos;
  private final Consumer<Destination> attempt;
  private final Consumer<String> onFailed;
  private final ArrayDeque<Destination> untried;

  /** Attempts in the order of the addresses. */
  private final List<Destination> trying = new ArrayList<>();

  private final List<Contender> answered = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private Contender shown;
  private Timers.Timer headStart;
  private boolean failed;

  /**
   * @param attempt begins an attempt
   * @param onFailed receives the reason why no address leads to the peer
   */
  FirstContact(
      EngineContext engine,
      List<Destination> inOrder,
      Consumer<Destination> attempt,
      Consumer<String> onFailed) {
    this.engine = engine;
    this.timers = engine.timers();
    EngineConfig config = engine.config();
    this.headStartNanos = config.timing().handshakeNanos() / HEAD_START_PART;
    this.untried = new ArrayDeque<>(inOrder);
    this.attempt = attempt;
    this.onFailed = onFailed;
  }

  void begin() {
    tryNext();
  }

  private void tryNext() {
    cancelHeadStart();
    Destination next = untried.poll();
    if (next == null) {
      return;
    }
    // Another connection to the same address would not be answered sooner.
    untried.removeIf(other -> other.target.equals(next.target));
    trying.add(next);
    if (!untried.isEmpty()) {
      headStart = timers.at(engine.nowNanos() + headStartNanos, this::tryNext);
    }
    attempt.accept(next);
  }

  private void cancelHeadStart() {
    if (headStart != null) {
      headStart.cancel();
      headStart = null;
    }
  }

  /**
   * Handles the peer's answer. Returns whether the handshake continues now; otherwise it continues when the handshakes
   * ahead of it have failed.
   */
  boolean mayContinue(Contender handshake) {
    if (shown == null) {
      shown = handshake;
      return true;
    }
    answered.add(handshake);
    return false;
  }

  void failed(Destination to, String reason) {
    trying.remove(to);
    failures.add(to.target + ": " + reason);
    if (shown != null && shown.leadsTo(to)) {
      shown = null;
      showNext();
    }
    if (!untried.isEmpty()) {
      tryNext();
    } else if (trying.isEmpty() && !failed) {
      // Reports once: the handshake that replaced this one may have failed by now.
      failed = true;
      onFailed.accept(String.join("; ", failures));
    }
  }

  private void showNext() {
    answered.removeIf(Contender::isOver);
    for (Destination to : trying) {
      for (Contender handshake : answered) {
        if (handshake.leadsTo(to)) {
          answered.remove(handshake);
          shown = handshake;
          handshake.show();
          return;
        }
      }
    }
  }

  /** Releases the handshake that began the ended session. */
  void forget() {
    shown = null;
  }

  /**
   * Ends the race because an address led to the peer or the peer is no longer wanted. Waiting handshakes leave; the
   * peer does not know them.
   */
  void end() {
    cancelHeadStart();
    untried.clear();
    answered.removeIf(Contender::isOver);
    answered.forEach(Contender::leave);
    answered.clear();
  }
}
