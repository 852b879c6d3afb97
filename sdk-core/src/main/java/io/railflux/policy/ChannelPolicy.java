package io.railflux.policy;

import java.time.Duration;

/**
 * Choice of the message channels over which peers send to this node. The other direction is the choice of the peers.
 * One instance serves one node, on the engine thread. Decisions are pure: callers pass measurements in; no clock and
 * no I/O. {@link Object#toString} describes the policy and its parameters to users.
 */
@FunctionalInterface
public interface ChannelPolicy {

  /**
   * Returns the kind of a peer that joins.
   *
   * @return by default {@link ChannelKind#POOLED}
   */
  default ChannelKind initial() {
    return ChannelKind.POOLED;
  }

  /**
   * Returns the largest kind that any peer may get. A peer whose messages do not fit its present channel gets a larger
   * one at once, up to this kind; longer messages go by rendezvous.
   *
   * @return by default {@link ChannelKind#DEDICATED_RING}
   */
  default ChannelKind largest() {
    return ChannelKind.DEDICATED_RING;
  }

  /**
   * Decides about all peers, once per tick. A tick takes about one second. Peers without a choice keep their kind.
   *
   * @param traffic traffic of the tick that ends now
   */
  void decide(ChannelTraffic traffic);

  /**
   * Learns that a peer left. A later peer reuses its number, possibly within the same tick. By default does nothing.
   *
   * @param peer number of the peer
   */
  default void left(int peer) {}

  /**
   * Returns how many endpoints the node keeps for peers that lost their dedicated ring (CH6: T 3.4). Beyond this
   * number the node closes the endpoint that was unused for the longest time. It closes the endpoint of a peer that
   * leaves.
   *
   * @return maximum number of parked endpoints; by default 0
   */
  default int maxParked() {
    return 0;
  }

  /**
   * Creates {@link #onDemand(int, Duration)} with 16 messages (C 3.1) and 30 seconds.
   *
   * @return a new policy for one node
   */
  static ChannelPolicy onDemand() {
    return onDemand(16, Duration.ofSeconds(30));
  }

  /**
   * Creates a policy that gives a dedicated ring to each peer that exchanged more than a number of messages, in both
   * directions together, within a tick (CM1). A peer returns to the pool after a time without any message.
   *
   * @param messages number of messages that do not justify a dedicated ring yet, at least 0
   * @param idle time without a message, positive
   * @return a new policy for one node
   * @throws IllegalArgumentException if a value is out of range
   */
  static ChannelPolicy onDemand(int messages, Duration idle) {
    return new OnDemandChannels(messages, idle);
  }

  /**
   * Creates a policy that gives each peer a dedicated ring from the start until it leaves.
   *
   * @return a new policy for one node
   */
  static ChannelPolicy dedicated() {
    return new ChannelPolicy() {
      @Override
      public ChannelKind initial() {
        return ChannelKind.DEDICATED_RING;
      }

      @Override
      public void decide(ChannelTraffic traffic) {}

      @Override
      public String toString() {
        return "dedicated";
      }
    };
  }
}
