package io.railflux.engine;

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
  private Timers.Timer timer;
  private Subchannel lastLost;
  private long silentSinceNanos;

  Liveness(VirtualChannel channel, EngineConfig.Timing timing) {
    this.channel = channel;
    this.timing = timing;
  }

  /** Idempotent; ticks until {@link #stop}. */
  void start() {
    if (timer == null) {
      silentSinceNanos = channel.nowNanos();
      tick();
    }
  }

  void stop() {
    if (timer != null) {
      timer.cancel();
    }
  }

  void lost(Subchannel subchannel) {
    lastLost = subchannel;
    // Look soon: the process behind it may be gone, and then there is nothing to wait for.
    stop();
    timer = channel.engine().timers().at(channel.nowNanos(), this::tick);
  }

  private void tick() {
    long now = channel.nowNanos();
    for (Subchannel subchannel : new ArrayList<>(channel.live())) {
      check(subchannel, now);
    }
    if (channel.isClosed() || checkPeer(now)) {
      return;
    }
    timer = channel.engine().timers().at(now + intervalNanos(), this::tick);
  }

  private void check(Subchannel subchannel, long now) {
    silentSinceNanos = Math.max(silentSinceNanos - now, subchannel.lastHeardNanos() - now) + now;
    if (!subchannel.capabilities().has(Feature.PEER_DEATH_REPORTED)) {
      long silence = now - subchannel.lastHeardNanos();
      boolean owing = subchannel.writer().ring().occupied() > 0;
      long stalled = owing ? now - subchannel.lastProgressNanos() : 0;
      if (silence > timing.detectNanos() || stalled > timing.detectNanos()) {
        long millis = Math.max(silence, stalled) / 1_000_000;
        channel.failSubchannel(subchannel, "no progress for " + millis + " ms");
        return;
      }
      if (!owing) {
        subchannel.progressed(now);
      }
    }
    subchannel.heartbeat(now, heartbeatNanos(subchannel));
  }

  /** Returns whether the channel ended. */
  private boolean checkPeer(long now) {
    if (!channel.hasLive() && lastLost != null && lastLost.endpoint.peerGone()) {
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

  private long heartbeatNanos(Subchannel subchannel) {
    boolean reported = subchannel.capabilities().has(Feature.PEER_DEATH_REPORTED);
    return (reported ? timing.partitionNanos() : timing.detectNanos()) / 4;
  }

  /** While paused it looks often whether the peer's process is there; else as often as it speaks. */
  private long intervalNanos() {
    if (!channel.hasLive()) {
      return timing.detectNanos() / 50;
    }
    long interval = timing.partitionNanos() / 4;
    for (Subchannel subchannel : channel.live()) {
      interval = Math.min(interval, heartbeatNanos(subchannel));
    }
    return interval;
  }
}
