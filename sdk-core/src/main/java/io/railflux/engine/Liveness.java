package io.railflux.engine;

import io.railflux.crypto.KeySchedule.Role;
import io.railflux.fabric.Capabilities.Feature;
import java.util.ArrayList;

/**
 * Signs of life and the lack of them (D12). A rail without progress for the detection bound is given
 * up, unless its fabric reports the death of a peer itself: there silence is not death, only a peer
 * that is stopped. A peer unheard of over all rails for the partition bound is lost. Engine thread only.
 */
final class Liveness {

  private final VirtualChannel channel;
  private final EngineConfig.Timing timing;
  private final LastSecond lastSecond;
  private Timers.Timer timer;
  private long dueNanos;

  // The last one that would know whether the peer's process ended, if there was one.
  private Subchannel lastLost;
  private long silentSinceNanos;

  Liveness(VirtualChannel channel, EngineConfig.Timing timing) {
    this.channel = channel;
    this.timing = timing;
    this.lastSecond = new LastSecond(channel.paths());
  }

  /** Idempotent; ticks until {@link #stop}. */
  void start() {
    if (timer == null) {
      silentSinceNanos = channel.nowNanos();
      dueNanos = silentSinceNanos;
      tick();
    }
  }

  void stop() {
    if (timer != null) {
      timer.cancel();
    }
  }

  void lost(Subchannel subchannel) {
    if (lastLost == null || reportsDeath(subchannel) || !reportsDeath(lastLost)) {
      lastLost = subchannel;
    }
    // Look soon: the process behind it may be gone, and then there is nothing to wait for.
    tickAt(channel.nowNanos());
  }

  private void tick() {
    long now = channel.nowNanos();
    excuse(now);
    lastSecond.look(now);
    for (Subchannel subchannel : new ArrayList<>(channel.live())) {
      check(subchannel, now);
    }
    if (channel.isClosed() || checkPeer(now)) {
      return;
    }
    // A rail that was given up just now asked for a look of its own.
    tickAt(nextTickNanos(now));
  }

  /** Who looks late, because the process or the machine stood still, heard nothing for that reason alone. */
  private void excuse(long now) {
    long late = Math.max(0, now - dueNanos);
    dueNanos = Math.max(dueNanos - now, 0) + now;
    silentSinceNanos += Math.min(late, now - silentSinceNanos);
    for (Subchannel subchannel : channel.live()) {
      subchannel.excuse(late, now);
    }
  }

  private void tickAt(long newDueNanos) {
    long now = channel.nowNanos();
    stop();
    excuse(now);
    // What is due already is looked at in this cycle: nobody is late with it.
    dueNanos = Math.max(newDueNanos - now, 0) + now;
    timer = channel.engine().timers().at(dueNanos, this::tick);
  }

  /**
   * Whoever answers a heartbeat needs no look before the next one is due: its own time begins anew. To look
   * at the time set before would wake up an idle engine once for each heartbeat in vain.
   */
  void answered() {
    if (timer != null && channel.paths().hasLive()) {
      long now = channel.nowNanos();
      tickAt(now + untilDueNanos(now));
    }
  }

  private void check(Subchannel subchannel, long now) {
    silentSinceNanos = Math.max(silentSinceNanos - now, subchannel.lastHeardNanos() - now) + now;
    if (isSilent(subchannel, now)) {
      // What this cycle's polling brought is there already, and read in the next one.
      subchannel.lookForNews(now);
      if (isSilent(subchannel, now)) {
        channel.failSubchannel(subchannel, suspicion(subchannel, now));
        return;
      }
    }
    subchannel.heartbeat(now, heartbeatNanos(subchannel));
  }

  private boolean isSilent(Subchannel subchannel, long now) {
    return !reportsDeath(subchannel) && now - aliveAtNanos(subchannel, now) > timing.detectNanos();
  }

  private static String suspicion(Subchannel subchannel, long now) {
    long alive = aliveAtNanos(subchannel, now);
    String lack = alive == subchannel.lastHeardNanos() ? "heard from" : "taken by";
    return "no progress for %d ms: nothing was %s the peer"
        .formatted((now - alive) / 1_000_000, lack);
  }

  private static boolean reportsDeath(Subchannel subchannel) {
    return subchannel.capabilities().has(Feature.PEER_DEATH_REPORTED);
  }

  /** When the peer was heard of, and, if it owes credit, took something: the earlier of both. */
  private static long aliveAtNanos(Subchannel subchannel, long now) {
    long heard = subchannel.lastHeardNanos();
    if (!subchannel.isOwedCredit()) {
      return heard;
    }
    return Math.min(heard - now, subchannel.lastProgressNanos() - now) + now;
  }

  /** Returns whether the channel ended. */
  private boolean checkPeer(long now) {
    if (!channel.paths().hasLive() && lastLost != null && lastLost.endpoint.peerGone()) {
      lost("its process ended: " + lastLost.failure);
      return true;
    }
    long silence = now - silentSinceNanos;
    if (silence > timing.partitionNanos()) {
      lost("unheard of for " + silence / 1_000_000 + " ms");
      return true;
    }
    return false;
  }

  private void lost(String how) {
    channel.lose(
        new StreamFailure(StreamFailure.Kind.LOST, channel.description() + " is lost: " + how));
  }

  /**
   * How long a rail may say nothing. Whoever connected speaks first, and the other, who waits longer, has
   * answered by its words before he would have to speak himself, which would wake up both once more.
   */
  private long heartbeatNanos(Subchannel subchannel) {
    long bound = reportsDeath(subchannel) ? timing.partitionNanos() : timing.detectNanos();
    return channel.session().role() == Role.CONNECTOR ? bound / 3 : bound / 8 * 5;
  }

  /** While paused it looks often whether the peer's process is there. */
  private long nextTickNanos(long now) {
    if (!channel.paths().hasLive()) {
      return now + timing.detectNanos() / 50;
    }
    long untilDue = untilDueNanos(now);
    // What is due still found no room.
    return now + (untilDue > 0 ? untilDue : timing.detectNanos() / 12);
  }

  /** Until this side has to speak over some rail, or nothing was heard for too long. */
  private long untilDueNanos(long now) {
    long wait = timing.partitionNanos() / 4;
    for (Subchannel subchannel : channel.live()) {
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
