package io.railflux.policies.channels;

import io.railflux.policy.ChannelKind;
import io.railflux.policy.ChannelPolicy;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The channel policies of the papers (CH4 to CH7), for {@code Railflux.channels}. Each supplier creates one policy per
 * node, which chooses the channels over which peers send to that node. All peers start with a pooled channel.
 *
 * <p>{@link #adaptive()} weighs all peers against each other. The other policies look at one peer at a time; the paper
 * compares the adaptive policy with them. {@link ChannelPolicy} itself has further ones.
 */
public final class Channels {

  private Channels() {}

  /**
   * Chooses the mapping of channels with the largest reduction of latency, with the parameters of the paper. See
   * {@link #adaptive(AdaptiveParameters)}.
   *
   * @return creates the policy of a node
   */
  public static Supplier<ChannelPolicy> adaptive() {
    return adaptive(AdaptiveParameters.PAPER);
  }

  /**
   * Chooses the mapping of channels with the largest reduction of latency according to a cost model. Windows that
   * slide decide when a mapping replaces another one (T 3).
   *
   * <p>The gain of a new mapping counts per message of the whole node. A peer with a small share of the messages
   * therefore waits for its ring until the mapping changes for other reasons too. Quiet peers keep their rings until
   * polling them, or the bounds, cost more than they gain.
   *
   * @param parameters the cost model
   * @return creates the policy of a node
   * @throws NullPointerException if {@code parameters} is null
   */
  public static Supplier<ChannelPolicy> adaptive(AdaptiveParameters parameters) {
    Objects.requireNonNull(parameters, "parameters");
    return () -> new SlidingWindows(parameters);
  }

  /**
   * Leaves all peers with pooled channels.
   *
   * @return creates the policy of a node
   */
  public static Supplier<ChannelPolicy> pooledOnly() {
    return () -> new FirstMessages("pooledOnly()", ChannelKind.POOLED, 0, 0);
  }

  /**
   * Gives a ring behind a shared endpoint to each peer that sends, until it leaves. The paper's DC-RDMA-OD (T 4.1).
   *
   * @return creates the policy of a node
   */
  public static Supplier<ChannelPolicy> sharedOnDemand() {
    return () ->
        new FirstMessages("sharedOnDemand()", ChannelKind.SHARED_RING, 0, Integer.MAX_VALUE);
  }

  /**
   * Gives a dedicated ring to each peer that sends, until it leaves. The paper's RC-RDMA-OD (T 4.1).
   *
   * @return creates the policy of a node
   */
  public static Supplier<ChannelPolicy> dedicatedOnDemand() {
    return () ->
        new FirstMessages("dedicatedOnDemand()", ChannelKind.DEDICATED_RING, 0, Integer.MAX_VALUE);
  }

  /**
   * Gives a dedicated ring to each peer that sent more than a number of messages since it joined, until it leaves
   * (T 5, Koop).
   *
   * @param messages number of messages that do not justify a dedicated ring yet, at least 0
   * @return creates the policy of a node
   * @throws IllegalArgumentException if {@code messages} is negative
   */
  public static Supplier<ChannelPolicy> threshold(int messages) {
    requireAtLeast(0, "threshold(messages)", messages);
    return () -> new FirstMessages(
        "threshold(" + messages + ")", ChannelKind.DEDICATED_RING, messages, Integer.MAX_VALUE);
  }

  /**
   * Gives a dedicated ring to the first peers that send, until they leave (T 5, Liu). Of peers that send first within
   * the same tick the one with the smaller number is the first.
   *
   * @param limit maximum number of dedicated rings, at least 0
   * @return creates the policy of a node
   * @throws IllegalArgumentException if {@code limit} is negative
   */
  public static Supplier<ChannelPolicy> firstComeFirstServed(int limit) {
    requireAtLeast(0, "firstComeFirstServed(limit)", limit);
    return () -> new FirstMessages(
        "firstComeFirstServed(" + limit + ")", ChannelKind.DEDICATED_RING, 0, limit);
  }

  /**
   * Gives a dedicated ring to each peer that sends. Once all are in use, the peer takes the one whose peer has been
   * silent for the longest time (T 5, Vishnu). Peers that send in the same tick do not take rings from each other.
   *
   * @param limit maximum number of dedicated rings, at least 0
   * @return creates the policy of a node
   * @throws IllegalArgumentException if {@code limit} is negative
   */
  public static Supplier<ChannelPolicy> leastRecentlyUsed(int limit) {
    requireAtLeast(0, "leastRecentlyUsed(limit)", limit);
    return () -> new LeastRecentlyUsed(limit);
  }

  /**
   * Gives a dedicated ring to each peer that sends large messages (T 5, Koop). It returns to the pool after ten ticks
   * with smaller messages only; ticks without messages do not count.
   *
   * @param bytes length of the smallest large message, in bytes, at least 1
   * @return creates the policy of a node
   * @throws IllegalArgumentException if {@code bytes} is below 1
   */
  public static Supplier<ChannelPolicy> byMessageSize(int bytes) {
    requireAtLeast(1, "byMessageSize(bytes)", bytes);
    return () -> new MessageSizes(bytes);
  }

  private static void requireAtLeast(int minimum, String parameter, int value) {
    if (value < minimum) {
      throw new IllegalArgumentException(
          parameter + " must be at least " + minimum + ", was " + value);
    }
  }
}
