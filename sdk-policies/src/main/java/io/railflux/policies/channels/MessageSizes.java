package io.railflux.policies.channels;

import io.railflux.policy.ChannelKind;
import io.railflux.policy.ChannelPolicy;
import io.railflux.policy.ChannelTraffic;
import java.util.Arrays;

/**
 * CH7: peers that send large messages get a dedicated ring, because a pooled channel cuts these into small buffers
 * (T 5, Koop). A peer returns to the pool after several ticks with small messages only; ticks without messages do not
 * count.
 */
final class MessageSizes implements ChannelPolicy {

  /** Ticks with small messages only, so that a peer that alternates between sizes keeps its ring. */
  private static final int SMALL_TICKS = 10;

  private final int largeBytes;
  /** Ticks since the last large message, by number; 0 without a ring. */
  private int[] smallTicks = new int[0];

  MessageSizes(int largeBytes) {
    this.largeBytes = largeBytes;
  }

  @Override
  public void decide(ChannelTraffic traffic) {
    if (smallTicks.length < traffic.peers()) {
      smallTicks = Arrays.copyOf(smallTicks, Math.max(traffic.peers(), 2 * smallTicks.length));
    }
    int free = traffic.maxDedicated() - traffic.dedicated();
    for (int peer = 0; peer < traffic.peers(); peer++) {
      if (traffic.isPresent(peer) && traffic.receivedMessages(peer) > 0) {
        free -= decide(traffic, peer, free > 0);
      }
    }
  }

  /** Returns the change of the number of dedicated rings. */
  private int decide(ChannelTraffic traffic, int peer, boolean mayPromote) {
    boolean large = traffic.largestReceivedBytes(peer) >= largeBytes;
    ChannelKind kind = traffic.kind(peer);
    boolean counts = !large && kind != ChannelKind.POOLED;
    smallTicks[peer] = counts ? Math.min(SMALL_TICKS, smallTicks[peer] + 1) : 0;
    boolean isDedicated = kind == ChannelKind.DEDICATED_RING;
    if (smallTicks[peer] == SMALL_TICKS) {
      traffic.choose(peer, ChannelKind.POOLED);
      return isDedicated ? -1 : 0;
    }
    if (!isDedicated && large && mayPromote) {
      traffic.choose(peer, ChannelKind.DEDICATED_RING);
      return 1;
    }
    return 0;
  }

  @Override
  public void left(int peer) {
    if (peer < smallTicks.length) {
      smallTicks[peer] = 0;
    }
  }

  @Override
  public String toString() {
    return "byMessageSize(" + largeBytes + ")";
  }
}
