package io.railflux.policies.channels;

import io.railflux.policy.ChannelKind;
import io.railflux.policy.ChannelPolicy;
import io.railflux.policy.ChannelTraffic;
import java.util.Arrays;

/**
 * CH7: a peer that sends gets a dedicated ring. Once all are in use, it takes the ring whose peer has been silent for
 * the longest time (T 5, Vishnu). Peers that sent in the same tick do not take rings from each other.
 */
final class LeastRecentlyUsed implements ChannelPolicy {

  private static final int NUMBER_BITS = 24;
  private static final int NUMBERS = (1 << NUMBER_BITS) - 1;

  private final int limit;
  private long[] lastUse = new long[0];
  /** Silent peers with a ring: from the highest bit the tick of the last use, and the number. */
  private long[] silent = new long[0];

  private int silentCount;
  /** Silent peers whose ring was taken or refused in this tick. */
  private int asked;

  private int dedicated;
  private long tick;

  LeastRecentlyUsed(int limit) {
    this.limit = limit;
  }

  @Override
  public void decide(ChannelTraffic traffic) {
    tick++;
    survey(traffic);
    int maxDedicated = Math.min(limit, traffic.maxDedicated());
    for (int peer = 0; peer < traffic.peers(); peer++) {
      if (wantsRing(traffic, peer)) {
        if (!makeRoom(traffic, maxDedicated)) {
          return;
        }
        traffic.choose(peer, ChannelKind.DEDICATED_RING);
        dedicated++;
      }
    }
  }

  /** Takes rings of silent peers until there is room for another one. The node keeps rings that messages need. */
  private boolean makeRoom(ChannelTraffic traffic, int maxDedicated) {
    while (dedicated >= maxDedicated && asked < silentCount) {
      int peer = (int) (silent[asked++] & NUMBERS);
      traffic.choose(peer, ChannelKind.POOLED);
      dedicated -= traffic.kind(peer) == ChannelKind.DEDICATED_RING ? 0 : 1;
    }
    return dedicated < maxDedicated;
  }

  /** Records the use of each peer, counts the rings, and sorts the silent ones by their last use. */
  private void survey(ChannelTraffic traffic) {
    if (lastUse.length < traffic.peers()) {
      int capacity = Math.max(traffic.peers(), 2 * lastUse.length);
      lastUse = Arrays.copyOf(lastUse, capacity);
      silent = new long[capacity];
    }
    silentCount = 0;
    asked = 0;
    dedicated = 0;
    for (int peer = 0; peer < traffic.peers(); peer++) {
      if (traffic.isPresent(peer)) {
        lastUse[peer] = traffic.receivedMessages(peer) > 0 ? tick : lastUse[peer];
        if (traffic.kind(peer) == ChannelKind.DEDICATED_RING) {
          dedicated++;
          if (lastUse[peer] < tick) {
            silent[silentCount++] = lastUse[peer] << NUMBER_BITS | peer;
          }
        }
      }
    }
    Arrays.sort(silent, 0, silentCount);
  }

  private boolean wantsRing(ChannelTraffic traffic, int peer) {
    return traffic.isPresent(peer)
        && lastUse[peer] == tick
        && traffic.kind(peer) != ChannelKind.DEDICATED_RING;
  }

  @Override
  public void left(int peer) {
    if (peer < lastUse.length) {
      lastUse[peer] = 0;
    }
  }

  @Override
  public String toString() {
    return "leastRecentlyUsed(" + limit + ")";
  }
}
