package io.railflux.policy;

/**
 * Traffic of all peers of a node within one tick, and the means to choose their channels. Peers are identified by
 * numbers from 0. A peer keeps its number until it leaves; a later peer reuses it. Valid during {@link
 * ChannelPolicy#decide} only; engine thread.
 */
public interface ChannelTraffic {

  /**
   * Returns the bound of the numbers. Some of the numbers below it may be free.
   *
   * @return the largest number of a peer plus 1; 0 without peers
   */
  int peers();

  /**
   * Returns whether a number belongs to a peer. Other methods require such a number.
   *
   * @param peer a number, 0 to {@code peers() - 1}
   * @return whether the peer is present
   */
  boolean isPresent(int peer);

  /**
   * Returns the kind of the channel over which a peer sends.
   *
   * @param peer number of the peer
   * @return the present kind, or the one to which a switch is under way. It includes earlier choices of the same call
   */
  ChannelKind kind(int peer);

  /**
   * Returns the messages that arrived from a peer.
   *
   * @param peer number of the peer
   * @return messages of this tick
   */
  long receivedMessages(int peer);

  /**
   * Returns the bytes that arrived from a peer.
   *
   * @param peer number of the peer
   * @return bytes of the messages of this tick
   */
  long receivedBytes(int peer);

  /**
   * Returns the messages that this node sent to a peer.
   *
   * @param peer number of the peer
   * @return messages of this tick
   */
  long sentMessages(int peer);

  /**
   * Returns the bytes that this node sent to a peer.
   *
   * @param peer number of the peer
   * @return bytes of the messages of this tick
   */
  long sentBytes(int peer);

  /**
   * Returns the length of the largest message that arrived from a peer.
   *
   * @param peer number of the peer
   * @return bytes; 0 if no message arrived in this tick
   */
  int largestReceivedBytes(int peer);

  /**
   * Returns the length of this tick.
   *
   * @return time since the last call of {@link ChannelPolicy#decide}, in nanoseconds
   */
  long tickNanos();

  /**
   * Returns how many dedicated rings the node can afford. It refuses further ones.
   *
   * @return maximum number of peers with a dedicated ring, including those that have one; {@link Integer#MAX_VALUE}
   *     without a bound
   */
  int maxDedicated();

  /**
   * Returns whether the node keeps an endpoint of an earlier dedicated ring of a peer ({@link
   * ChannelPolicy#maxParked}), so that a new dedicated ring needs no new endpoint.
   *
   * @param peer number of the peer
   * @return whether an endpoint is parked; by default false
   */
  default boolean isParked(int peer) {
    return false;
  }

  /**
   * Returns the number of peers with a dedicated ring.
   *
   * @return number of peers whose {@link #kind} is {@link ChannelKind#DEDICATED_RING}
   */
  default int dedicated() {
    int count = 0;
    for (int peer = 0; peer < peers(); peer++) {
      if (isPresent(peer) && kind(peer) == ChannelKind.DEDICATED_RING) {
        count++;
      }
    }
    return count;
  }

  /**
   * Chooses the kind of the channel over which a peer sends. The switch happens after the call, in the order of the
   * choices. A choice that cannot be carried out leaves the kind as it was; the policy may repeat it at the next tick.
   *
   * @param peer number of the peer
   * @param kind the wanted kind; the present one changes nothing
   * @param gainPerMessageNanos reduction of latency per message that a model expects, in nanoseconds, for display; 0
   *     without a model
   */
  void choose(int peer, ChannelKind kind, double gainPerMessageNanos);

  /**
   * Chooses the kind of the channel over which a peer sends, without a model. See {@link #choose(int, ChannelKind,
   * double)}.
   *
   * @param peer number of the peer
   * @param kind the wanted kind; the present one changes nothing
   */
  default void choose(int peer, ChannelKind kind) {
    choose(peer, kind, 0);
  }
}
