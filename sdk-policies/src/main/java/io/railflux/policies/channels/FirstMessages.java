package io.railflux.policies.channels;

import io.railflux.policy.ChannelKind;
import io.railflux.policy.ChannelPolicy;
import io.railflux.policy.ChannelTraffic;
import java.util.Arrays;

/**
 * CH7: the first peers that sent more than a number of messages since they joined get a ring, which they keep until
 * they leave.
 */
final class FirstMessages implements ChannelPolicy {

  private final String description;
  private final ChannelKind ring;
  private final int messages;
  private final int limit;
  private long[] received = new long[0];

  /**
   * Creates a policy.
   *
   * @param description for users
   * @param ring kind of the ring
   * @param messages number of messages that do not justify a ring yet
   * @param limit maximum number of rings
   */
  FirstMessages(String description, ChannelKind ring, int messages, int limit) {
    this.description = description;
    this.ring = ring;
    this.messages = messages;
    this.limit = limit;
  }

  @Override
  public ChannelKind largest() {
    return ring;
  }

  @Override
  public void decide(ChannelTraffic traffic) {
    if (received.length < traffic.peers()) {
      received = Arrays.copyOf(received, Math.max(traffic.peers(), 2 * received.length));
    }
    int free = limit;
    if (ring == ChannelKind.DEDICATED_RING) {
      free = Math.min(limit, traffic.maxDedicated()) - traffic.dedicated();
    }
    for (int peer = 0; peer < traffic.peers(); peer++) {
      if (deserves(traffic, peer) && free > 0) {
        traffic.choose(peer, ring);
        free--;
      }
    }
  }

  /** Counts the messages of a peer; a peer that is silent now gets no ring for its former messages. */
  private boolean deserves(ChannelTraffic traffic, int peer) {
    if (!traffic.isPresent(peer) || traffic.receivedMessages(peer) == 0) {
      return false;
    }
    received[peer] += traffic.receivedMessages(peer);
    return received[peer] > messages && traffic.kind(peer) != ring;
  }

  @Override
  public void left(int peer) {
    if (peer < received.length) {
      received[peer] = 0;
    }
  }

  @Override
  public String toString() {
    return description;
  }
}
