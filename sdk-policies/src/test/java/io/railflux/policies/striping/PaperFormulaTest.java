package io.railflux.policies.striping;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.policy.Marker;
import io.railflux.policy.StripingPolicy;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Tag;

/**
 * Formula (8.3), which equals (7.4) over all paths, in the notation of the paper: by weights and times, not by
 * bandwidths.
 */
@Tag("MR6")
@Tag("MR7")
class PaperFormulaTest {

  private static final int LENGTH_BYTES = 1 << 30;

  /** One path: its rate, and the interval between two observations relative to the time of a piece. */
  record Path(double bytesPerMicro, double gap) {

    boolean isLate() {
      return gap > 0.1;
    }
  }

  @Property(tries = 500)
  void weightsFollowTheFormulaOverTheBatchWithoutDelayedSamples(
      @ForAll @Size(min = 2, max = 8) List<@DoubleRange(min = 1, max = 1_000) Double> bandwidths,
      @ForAll @Size(min = 8, max = 8) List<@DoubleRange(min = 0, max = 0.2) Double> gaps,
      @ForAll @IntRange(min = 1, max = 8) int batch,
      @ForAll @DoubleRange(min = 0.01, max = 1) double alpha) {
    List<Path> paths = IntStream.range(0, bandwidths.size())
        .mapToObj(i -> new Path(bandwidths.get(i), aside(gaps.get(i))))
        .toList();
    int count = paths.size();
    int wanted = Math.min(batch, count);
    FakePaths live = FakePaths.of(count);
    StripingPolicy policy = Striping.batched(count, wanted, alpha).get();
    FakeNetwork network =
        new FakeNetwork(live, paths.stream().mapToDouble(Path::bytesPerMicro).toArray());

    for (int message = 0; message < 5; message++) {
      double[] before = weights(policy, live);
      network.move(
          policy, LENGTH_BYTES, Marker.STREAM, (path, took) -> (long) (paths.get(path).gap * took));
      double[] after = weights(policy, live);
      assertArrayEquals(byTheFormula(before, paths, wanted, alpha), after, 1e-5);
      assertEquals(1, Arrays.stream(after).sum(), 1e-9);
    }
  }

  private static double[] weights(StripingPolicy policy, FakePaths live) {
    return IntStream.range(0, live.count())
        .mapToDouble(i -> policy.weight(live, i))
        .toArray();
  }

  /** Avoids gaps so close to a tenth that the rounding of nanoseconds decides. */
  private static double aside(double gap) {
    return Math.abs(gap - 0.1) < 1e-3 ? 0 : gap;
  }

  private static double[] byTheFormula(
      double[] weights, List<Path> paths, int wanted, double alpha) {
    int[] batch = IntStream.range(0, weights.length)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> -weights[i]))
        .mapToInt(Integer::intValue)
        .limit(wanted)
        .toArray();
    int[] timely = Arrays.stream(batch).filter(i -> !paths.get(i).isLate()).toArray();
    double batchWeight = Arrays.stream(timely).mapToDouble(i -> weights[i]).sum();
    double sum = Arrays.stream(timely)
        .mapToDouble(i -> weights[i] / time(weights, paths, i))
        .sum();
    double[] next = weights.clone();
    for (int i : timely) {
      double speed = weights[i] / time(weights, paths, i);
      next[i] = (1 - alpha) * weights[i] + alpha * batchWeight * speed / sum;
    }
    return next;
  }

  /** Returns the time of a piece in proportion to its weight, in any unit. */
  private static double time(double[] weights, List<Path> paths, int i) {
    return weights[i] / paths.get(i).bytesPerMicro();
  }
}
