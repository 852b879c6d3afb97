package io.railflux.engine.session;

import io.railflux.crypto.KeySchedule.Role;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.EngineContext;
import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.base.Timers;
import io.railflux.engine.path.PathRepository;
import io.railflux.engine.path.Subchannel;
import io.railflux.fabric.Capabilities.Feature;
import java.util.ArrayList;
import java.util.List;

/**
 * Detects dead rails and lost peers (D12). A rail without progress for the detection bound is given up, unless its
 * fabric reports the death of a peer: there a silent peer is merely stopped. A peer that is silent over all rails for
 * the partition bound is lost.
 *
 * <p>The silence of a peer begins
 *
 * <ul>
 *   <li>at the loss of its last rail, if the fabric or the peer ended that rail: the rail worked until then, even if
 *       it was idle;
 *   <li>at the last sign of life over a rail that is given up for its silence;
 *   <li>at the first missed heartbeat over a silent rail whose fabric reports deaths.
 * </ul>
 *
 * Time in which this process was suspended does not count as silence. Engine thread only.
 */
final class Liveness {

  /** Divisor of the detection bound. A longer delay of a check means that the engine was suspended. */
  private static final int STALL_PART = 4;

  /** Heartbeats within the bound of a rail, in an idle session, in each direction. */
  private static final int CONNECTOR_HEARTBEATS = 3;

  private final SessionLifecycle session;
  private final EngineContext engine;
  private final Timers timers;
  private final List<Subchannel> live;
  private final EngineConfig.Timing timing;
  private final Role role;
  private final PathRepository.LastSecond lastSecond;
  private Timers.Timer timer;
  private long dueNanos;

  // The last lost rail that can report whether the peer's process ended, or else the last lost
  // rail.
  private Subchannel lastLost;
  private String lastFailure = "";
  private long silentSinceNanos;
  // Suspension of this process during the silence, which does not count.
  private long suspendedNanos;

  // The rail that is being given up for its silence.
  private Subchannel suspect;

  /** @param role role of this side */
  Liveness(SessionLifecycle session, EngineConfig.Timing timing, Role role) {
    this.session = session;
    this.engine = session.engine();
    this.timers = engine.timers();
    this.live = session.live();
    this.timing = timing;
    this.role = role;
    this.lastSecond = new PathRepository.LastSecond(session.paths());
  }

  /** Idempotent. Ticks until {@link #stop}. */
  void start() {
    if (timer == null) {
      silentSinceNanos = engine.nowNanos();
      dueNanos = silentSinceNanos;
      tick();
    }
  }

  /** Stops the ticks at the end of the channel and releases the rails. */
  void stop() {
    cancelTick();
    lastLost = null;
  }

  private void cancelTick() {
    if (timer != null) {
      timer.cancel();
    }
  }

  void lost(Subchannel subchannel) {
    if (subchannel != suspect) {
      silentSince(engine.nowNanos());
    }
    lastFailure = subchannel.failure();
    if (lastLost == null || reportsDeath(subchannel) || !reportsDeath(lastLost)) {
      lastLost = subchannel;
    }
    // Check soon: if the peer's process is gone, there is nothing to wait for.
    tickAt(engine.nowNanos());
  }

  /** Notes a sign of life. Earlier times have no effect. */
  private void silentSince(long nanos) {
    if (nanos - silentSinceNanos > 0) {
      silentSinceNanos = nanos;
      suspendedNanos = 0;
    }
  }

  private void tick() {
    long now = engine.nowNanos();
    excuse(now);
    lastSecond.look(now);
    for (Subchannel subchannel : new ArrayList<>(live)) {
      check(subchannel, now);
    }
    if (session.isClosed() || checkPeer(now)) {
      return;
    }
    // A rail given up just now has scheduled an earlier check.
    tickAt(nextTickNanos(now));
  }

  /**
   * Excludes the time in which this process or its machine was suspended from the silence of the peer. Ordinary delays
   * of a loaded machine count: over thousands of checks they would add up and extend the partition bound. Rails are
   * excused for every delay, as their bound is short and spans few checks.
   */
  private void excuse(long now) {
    long late = Math.max(0, now - dueNanos);
    long stall = late > timing.detectNanos() / STALL_PART ? late : 0;
    dueNanos = Math.max(dueNanos - now, 0) + now;
    long excused = Math.min(stall, now - silentSinceNanos);
    silentSinceNanos += excused;
    suspendedNanos += excused;
    for (Subchannel subchannel : live) {
      subchannel.excuse(reportsDeath(subchannel) ? stall : late, now);
    }
  }

  private void tickAt(long newDueNanos) {
    long now = engine.nowNanos();
    cancelTick();
    excuse(now);
    // A check that is due already runs in this cycle: the check is not late.
    dueNanos = Math.max(newDueNanos - now, 0) + now;
    timer = timers.at(dueNanos, this::tick);
  }

  /**
   * Restarts the time of a rail after the answer to a heartbeat. A check at the earlier time would needlessly wake an
   * idle engine once per heartbeat.
   */
  void answered() {
    if (timer != null && !live.isEmpty()) {
      long now = engine.nowNanos();
      tickAt(now + untilDueNanos(now));
    }
  }

  private void check(Subchannel subchannel, long now) {
    if (isSilent(subchannel, now)) {
      // Frames that arrived in this cycle are in the ring already, but are read in the next cycle.
      subchannel.checkArrivals(now);
    }
    silentSince(notSilentUntilNanos(subchannel, now));
    if (isSilent(subchannel, now)) {
      suspect = subchannel;
      session.failSubchannel(subchannel, suspicion(subchannel, now));
      suspect = null;
      return;
    }
    subchannel.heartbeat(now, heartbeatNanos(subchannel));
  }

  private boolean isSilent(Subchannel subchannel, long now) {
    return !reportsDeath(subchannel) && now - aliveAtNanos(subchannel, now) > timing.detectNanos();
  }

  private static String suspicion(Subchannel subchannel, long now) {
    long alive = aliveAtNanos(subchannel, now);
    String lack = alive == subchannel.lastReceivedNanos() ? "received from" : "consumed by";
    return "no progress for %d ms: nothing was %s the peer"
        .formatted((now - alive) / 1_000_000, lack);
  }

  /** Returns the time until which the peer is not silent over a live rail; at most {@code now}. */
  private long notSilentUntilNanos(Subchannel subchannel, long now) {
    long patience = reportsDeath(subchannel) ? timing.partitionNanos() / CONNECTOR_HEARTBEATS : 0;
    return Math.min(0, subchannel.lastReceivedNanos() + patience - now) + now;
  }

  private static boolean reportsDeath(Subchannel subchannel) {
    return subchannel.capabilities().has(Feature.PEER_DEATH_REPORTED);
  }

  /**
   * Returns the time of the last sign of life. If the peer owes credit, this is the earlier of the last frame and the
   * last credit.
   */
  private static long aliveAtNanos(Subchannel subchannel, long now) {
    long received = subchannel.lastReceivedNanos();
    if (!subchannel.isOwedCredit()) {
      return received;
    }
    return Math.min(received - now, subchannel.lastProgressNanos() - now) + now;
  }

  /** Returns whether the channel ended. */
  private boolean checkPeer(long now) {
    if (live.isEmpty() && lastLost != null && lastLost.endpoint.peerGone()) {
      lost("its process ended: " + lastLost.failure());
      return true;
    }
    long silence = now - silentSinceNanos;
    if (silence > timing.partitionNanos()) {
      lost("silent for " + (silence + suspendedNanos) / 1_000_000 + " ms" + suspension()
          + whyWithoutRail());
      return true;
    }
    return false;
  }

  private String suspension() {
    return suspendedNanos == 0
        ? ""
        : ", " + suspendedNanos / 1_000_000 + " ms of them while this process was suspended";
  }

  /** Returns an explanation for messages; empty while there is a live rail. */
  private String whyWithoutRail() {
    return live.isEmpty() ? "; its last rail was lost: " + lastFailure : "";
  }

  private void lost(String how) {
    session.lose(
        new StreamFailure(StreamFailure.Kind.LOST, session.description() + " is lost: " + how));
  }

  /**
   * Returns the maximum idle time of a rail. The connecting side sends first. The accepting side waits longer: its
   * acknowledgement words answer before its own heartbeat is due, which saves both sides a wake-up.
   */
  private long heartbeatNanos(Subchannel subchannel) {
    long bound = reportsDeath(subchannel) ? timing.partitionNanos() : timing.detectNanos();
    return role == Role.CONNECTOR ? bound / CONNECTOR_HEARTBEATS : bound / 8 * 5;
  }

  /**
   * Returns the time of the next check. While the channel is paused, checks are frequent to detect the end of the
   * peer's process.
   */
  private long nextTickNanos(long now) {
    if (live.isEmpty()) {
      return now + timing.detectNanos() / 50;
    }
    long untilDue = untilDueNanos(now);
    // A due heartbeat has found no room yet.
    return now + (untilDue > 0 ? untilDue : timing.detectNanos() / 12);
  }

  /** Returns the time until a heartbeat is due over a live rail, or until a rail counts as silent; in nanoseconds. */
  private long untilDueNanos(long now) {
    long wait = timing.partitionNanos() / 4;
    for (Subchannel subchannel : live) {
      wait = Math.min(wait, untilDueNanos(subchannel, now));
    }
    return wait;
  }

  private long untilDueNanos(Subchannel subchannel, long now) {
    long untilDue = subchannel.lastSentNanos() + heartbeatNanos(subchannel) - now;
    if (reportsDeath(subchannel)) {
      return untilDue;
    }
    long silence = now - aliveAtNanos(subchannel, now);
    return Math.min(untilDue, timing.detectNanos() - silence + 1);
  }
}
