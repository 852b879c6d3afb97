package io.railflux.policies.striping;

import io.railflux.policy.CommunicationAware;
import io.railflux.policy.Probing;
import io.railflux.policy.StripingPolicy;
import java.util.function.Supplier;

/**
 * The striping policies of the papers (MR2, MR6, MR7, MR9), for {@code Railflux.striping}. Each supplier creates one
 * policy per peer.
 *
 * <p>Policies by turns send messages whole. Striping policies cut large messages, from 16 KiB unless {@link #above}
 * sets another threshold, and send small messages in turn. Weights belong to rails, numbered as in {@link
 * io.railflux.policy.Paths#rail}; the last weight applies to all further rails.
 */
public final class Striping {

  /** Smallest message in bytes that is cut (V 6.2.3). */
  private static final int THRESHOLD_BYTES = CommunicationAware.THRESHOLD_BYTES;

  private Striping() {}

  /**
   * Sends all messages over the first live rail (V 4.1.2).
   *
   * @return creates the policy of a peer
   */
  public static Supplier<StripingPolicy> binding() {
    return StripingPolicy::binding;
  }

  /**
   * Sends one message per path in turn, regardless of its size (V 4.1.2).
   *
   * @return creates the policy of a peer
   */
  public static Supplier<StripingPolicy> roundRobin() {
    return windowed(1);
  }

  /**
   * Sends messages in turn, in proportion to the weights of the rails (V 4.1.2).
   *
   * @param weights weights of the rails, finite and at least 0, at least one of them positive
   * @return creates the policy of a peer
   * @throws IllegalArgumentException if the weights are invalid
   */
  public static Supplier<StripingPolicy> weightedRoundRobin(double... weights) {
    RailWeights rails = new RailWeights(weights);
    return () -> new WeightedRoundRobin(rails);
  }

  /**
   * Sends several messages over a path before the next path has its turn, so that fewer messages overtake each other
   * on paths of different latency (V 4.1.2).
   *
   * @param messages messages per turn, at least 1
   * @return creates the policy of a peer
   * @throws IllegalArgumentException if {@code messages} is below 1
   */
  public static Supplier<StripingPolicy> windowed(int messages) {
    if (messages < 1) {
      throw new IllegalArgumentException("windowed(messages) must be at least 1, was " + messages);
    }
    return () -> new WindowedRoundRobin(messages);
  }

  /**
   * Cuts large messages into equal pieces over all paths (V 4.1.2).
   *
   * @return creates the policy of a peer
   */
  public static Supplier<StripingPolicy> even() {
    return weighted(1);
  }

  /**
   * Cuts large messages in proportion to the weights of the rails (V 4.1.2).
   *
   * @param weights weights of the rails, finite and at least 0, at least one of them positive
   * @return creates the policy of a peer
   * @throws IllegalArgumentException if the weights are invalid
   */
  public static Supplier<StripingPolicy> weighted(double... weights) {
    RailWeights rails = new RailWeights(weights);
    return () -> new StripingThreshold(THRESHOLD_BYTES, new WeightedStriping(rails));
  }

  /**
   * Cuts large messages in proportion to weights that follow the times of the pieces, formula (7.4).
   *
   * @param alpha share of the last message in a weight, above 0 and at most 1
   * @return creates the policy of a peer
   * @throws IllegalArgumentException if {@code alpha} is out of range
   */
  public static Supplier<StripingPolicy> adaptive(double alpha) {
    requireAlpha("adaptive", alpha);
    return () -> new StripingThreshold(
        THRESHOLD_BYTES, new BatchedStriping(Integer.MAX_VALUE, Integer.MAX_VALUE, alpha));
  }

  /**
   * Batched striping with an alpha of 0.9, because the paper recommends a high one (V 8.2.1). See {@link
   * #batched(int, int, double)}.
   *
   * @param paths number of paths to consider
   * @param batch number of paths per message, 1 to {@code paths}
   * @return creates the policy of a peer
   * @throws IllegalArgumentException if a value is out of range
   */
  public static Supplier<StripingPolicy> batched(int paths, int batch) {
    return batched(paths, batch, 0.9);
  }

  /**
   * Cuts large messages over the {@code batch} best of the first {@code paths} paths. Only the weights of these
   * follow the times of the pieces, formula (8.3). {@code batched(n, n, a)} equals {@code adaptive(a)}.
   *
   * @param paths number of paths to consider
   * @param batch number of paths per message, 1 to {@code paths}
   * @param alpha share of the last message in a weight, above 0 and at most 1
   * @return creates the policy of a peer
   * @throws IllegalArgumentException if a value is out of range
   */
  public static Supplier<StripingPolicy> batched(int paths, int batch, double alpha) {
    if (batch < 1 || batch > paths) {
      throw new IllegalArgumentException(
          "batched(paths, batch) needs 1 <= batch <= paths, was " + paths + ", " + batch);
    }
    requireAlpha("batched", alpha);
    return () -> new StripingThreshold(THRESHOLD_BYTES, new BatchedStriping(paths, batch, alpha));
  }

  private static void requireAlpha(String policy, double alpha) {
    if (!(alpha > 0 && alpha <= 1)) {
      throw new IllegalArgumentException(
          policy + ": alpha must be above 0 and at most 1, was " + alpha);
    }
  }

  /**
   * Cuts requests and sends messages of streams whole, both according to the measured rates (MR9: V 6.2).
   *
   * @return creates the policy of a peer
   */
  public static Supplier<StripingPolicy> communicationAware() {
    return CommunicationAware::new;
  }

  /**
   * Decorates a policy that regularly tries paths without weight. The formulas never give such a path weight again,
   * although it may have recovered.
   *
   * @param policy creates the decorated policy
   * @param every number of choices per probe, at least 2
   * @return creates the policy of a peer
   * @throws IllegalArgumentException if {@code every} is below 2
   */
  public static Supplier<StripingPolicy> probing(Supplier<StripingPolicy> policy, int every) {
    if (every < 2) {
      throw new IllegalArgumentException("probing(policy, every) needs every >= 2, was " + every);
    }
    return () -> new Probing(policy.get(), every);
  }

  /**
   * Replaces the threshold of a policy: it cuts messages of at least {@code minBytes} only (V 6.2.3). A policy made
   * by {@link #probing} or {@link #communicationAware} keeps its own threshold too; the larger one applies.
   *
   * @param minBytes smallest message in bytes that is cut
   * @param policy creates the decorated policy
   * @return creates the policy of a peer
   */
  public static Supplier<StripingPolicy> above(int minBytes, Supplier<StripingPolicy> policy) {
    return () -> StripingThreshold.of(minBytes, policy.get());
  }
}
