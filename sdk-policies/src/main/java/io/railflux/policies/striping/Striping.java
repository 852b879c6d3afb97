package io.railflux.policies.striping;

import io.railflux.policy.CommunicationAware;
import io.railflux.policy.Probing;
import io.railflux.policy.StripingPolicy;
import java.util.function.Supplier;

/**
 * The striping policies of the papers (MR2, MR6, MR7, MR9), for {@code Railflux.striping}. Each value makes a
 * policy of its own for every peer. Those that turn send messages whole; those that stripe cut large messages,
 * of 16 KiB at least unless {@link #above} says otherwise, and send small ones in turn. Weights are those of rails, which
 * are counted as {@link io.railflux.policy.Paths#rail} says; the last holds for all that follow.
 */
public final class Striping {

  /** Below it a message is not cut (V 6.2.3). */
  private static final int THRESHOLD_BYTES = CommunicationAware.THRESHOLD_BYTES;

  private Striping() {}

  /** Everything over the first rail that is there (V 4.1.2). */
  public static Supplier<StripingPolicy> binding() {
    return StripingPolicy::binding;
  }

  /** One message a path in turn, whatever its size (V 4.1.2). */
  public static Supplier<StripingPolicy> roundRobin() {
    return windowed(1);
  }

  /** As {@link #roundRobin}, but as many messages a path as the weight of its rail says (V 4.1.2). */
  public static Supplier<StripingPolicy> weightedRoundRobin(double... weights) {
    RailWeights rails = new RailWeights(weights);
    return () -> new WeightedRoundRobin(rails);
  }

  /**
   * That many messages over one path before the next one has its turn, so that fewer overtake each other
   * where paths differ in latency (V 4.1.2).
   */
  public static Supplier<StripingPolicy> windowed(int messages) {
    if (messages < 1) {
      throw new IllegalArgumentException("windowed(messages) must be at least 1, was " + messages);
    }
    return () -> new WindowedRoundRobin(messages);
  }

  /** Large messages in equal pieces over all paths (V 4.1.2). */
  public static Supplier<StripingPolicy> even() {
    return weighted(1);
  }

  /** Large messages in pieces after the weights of the rails (V 4.1.2). */
  public static Supplier<StripingPolicy> weighted(double... weights) {
    RailWeights rails = new RailWeights(weights);
    return () -> new StripingThreshold(THRESHOLD_BYTES, new WeightedStriping(rails));
  }

  /**
   * Large messages in pieces after weights that follow the time of each piece, formula (7.4).
   *
   * @param alpha how much the last message counts beside those before, above 0 and at most 1
   */
  public static Supplier<StripingPolicy> adaptive(double alpha) {
    requireAlpha("adaptive", alpha);
    return () -> new StripingThreshold(
        THRESHOLD_BYTES, new BatchedStriping(Integer.MAX_VALUE, Integer.MAX_VALUE, alpha));
  }

  /** As {@link #batched(int, int, double)} with an alpha of 0.9: the paper takes a high one (V 8.2.1). */
  public static Supplier<StripingPolicy> batched(int paths, int batch) {
    return batched(paths, batch, 0.9);
  }

  /**
   * Large messages in pieces over the {@code batch} best of the first {@code paths} paths, whose weights
   * alone follow the time of the pieces, formula (8.3). {@code batched(n, n, a)} is {@code adaptive(a)}.
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

  /** Requests cut, streams in turn, both after what paths move (MR9: V 6.2). */
  public static Supplier<StripingPolicy> communicationAware() {
    return CommunicationAware::new;
  }

  /**
   * {@code policy}, which now and then tries a path that it would not: one without weight never gets any by
   * the formulas, though it may have recovered.
   *
   * @param every how many choices there are to one such try, at least 2
   */
  public static Supplier<StripingPolicy> probing(Supplier<StripingPolicy> policy, int every) {
    if (every < 2) {
      throw new IllegalArgumentException("probing(policy, every) needs every >= 2, was " + every);
    }
    return () -> new Probing(policy.get(), every);
  }

  /**
   * {@code policy}, which cuts no message below so many bytes, and those from there on (V 6.2.3). One that is
   * {@link #probing} or {@link #communicationAware} keeps its own bound beside this one: the larger counts.
   */
  public static Supplier<StripingPolicy> above(int leastBytes, Supplier<StripingPolicy> policy) {
    return () -> StripingThreshold.of(leastBytes, policy.get());
  }
}
