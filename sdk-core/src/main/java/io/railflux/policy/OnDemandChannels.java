package io.railflux.policy;

import java.time.Duration;
import java.util.Arrays;

/** CM1: dedicated rings for peers that talk, pooled channels for the others. */
final class OnDemandChannels implements ChannelPolicy {

  private final int messages;
  private final Duration idle;
  private final long idleNanos;
  private long[] quietNanos = new long[0];

  OnDemandChannels(int messages, Duration idle) {
    if (messages < 0) {
      throw new IllegalArgumentException("onDemand(messages) must be at least 0, was " + messages);
    }
    if (idle.isNegative() || idle.isZero()) {
      throw new IllegalArgumentException("onDemand(idle) must be positive, was " + idle);
    }
    this.messages = messages;
    this.idle = idle;
    this.idleNanos = saturatedNanos(idle);
  }

  private static long saturatedNanos(Duration time) {
    // About 292 years.
    return time.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0 ? Long.MAX_VALUE : time.toNanos();
  }

  @Override
  public void decide(ChannelTraffic traffic) {
    if (quietNanos.length < traffic.peers()) {
      quietNanos = Arrays.copyOf(quietNanos, Math.max(traffic.peers(), 2 * quietNanos.length));
    }
    int free = traffic.maxDedicated() - traffic.dedicated();
    for (int peer = 0; peer < traffic.peers(); peer++) {
      if (traffic.isPresent(peer)) {
        free -= decide(traffic, peer, free > 0);
      }
    }
  }

  /** Returns the change of the number of dedicated rings. */
  private int decide(ChannelTraffic traffic, int peer, boolean mayPromote) {
    long exchanged = traffic.receivedMessages(peer) + traffic.sentMessages(peer);
    quietNanos[peer] = exchanged > 0 ? 0 : quietNanos[peer] + traffic.tickNanos();
    ChannelKind kind = traffic.kind(peer);
    boolean isDedicated = kind == ChannelKind.DEDICATED_RING;
    if (kind != ChannelKind.POOLED && quietNanos[peer] >= idleNanos) {
      traffic.choose(peer, ChannelKind.POOLED);
      return isDedicated ? -1 : 0;
    }
    if (!isDedicated && exchanged > messages && mayPromote) {
      traffic.choose(peer, ChannelKind.DEDICATED_RING);
      return 1;
    }
    return 0;
  }

  @Override
  public void left(int peer) {
    if (peer < quietNanos.length) {
      quietNanos[peer] = 0;
    }
  }

  @Override
  public String toString() {
    return "onDemand(messages " + messages + ", idle " + idle + ")";
  }
}
