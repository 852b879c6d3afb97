package io.railflux.policies.striping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.policy.Marker;
import io.railflux.policy.StripingPolicy;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Formulas (7.4) and (8.3) and their consequences. */
@Tag("MR6")
@Tag("MR7")
@Tag("MR12")
class AdaptiveStripingTest {

  private static final int MIB = 1 << 20;

  private static double totalWeight(StripingPolicy policy, FakePaths paths) {
    double total = 0;
    for (int i = 0; i < paths.count(); i++) {
      total += policy.weight(paths, i);
    }
    return total;
  }

  @Test
  void movesWeightByTheFormulaOfThePaper() {
    FakePaths paths = FakePaths.of(2);
    StripingPolicy policy = Striping.adaptive(0.25).get();

    new FakeNetwork(paths, 300, 100).move(policy, MIB, Marker.STREAM);

    // W_i = 0.5, t_i inverse to the bandwidth: 0.75 * 0.5 + 0.25 * 300 / 400.
    assertEquals(0.75 * 0.5 + 0.25 * 0.75, policy.weight(paths, 0), 1e-5);
    assertEquals(0.75 * 0.5 + 0.25 * 0.25, policy.weight(paths, 1), 1e-5);
  }

  @Property(tries = 300)
  void totalWeightIsConserved(
      @ForAll @Size(min = 2, max = 8) List<@DoubleRange(min = 0.1, max = 10_000) Double> bandwidths,
      @ForAll @DoubleRange(min = 0.01, max = 1) double alpha,
      @ForAll @IntRange(min = 1, max = 30) int messages) {
    FakePaths paths = FakePaths.of(bandwidths.size());
    StripingPolicy policy = Striping.adaptive(alpha).get();
    FakeNetwork network = new FakeNetwork(paths, array(bandwidths));

    for (int i = 0; i < messages; i++) {
      network.move(policy, MIB, Marker.STREAM);
    }

    assertEquals(1, totalWeight(policy, paths), 1e-9);
  }

  @Property(tries = 300)
  void convergesToTheRatioOfTheBandwidths(
      @ForAll @DoubleRange(min = 1, max = 50) double ratio,
      @ForAll @DoubleRange(min = 0.3, max = 1) double alpha) {
    FakePaths paths = FakePaths.of(2);
    StripingPolicy policy = Striping.adaptive(alpha).get();
    FakeNetwork network = new FakeNetwork(paths, 10 * ratio, 10);

    for (int i = 0; i < 30; i++) {
      network.move(policy, 64 * MIB, Marker.STREAM);
    }

    assertEquals(ratio / (ratio + 1), policy.weight(paths, 0), 0.001);
  }

  @Property(tries = 200)
  void batchesOfAllPathsAreAdaptiveStriping(
      @ForAll @Size(min = 2, max = 8) List<@DoubleRange(min = 1, max = 1_000) Double> bandwidths) {
    int count = bandwidths.size();
    FakePaths paths = FakePaths.of(count);
    StripingPolicy adaptive = Striping.adaptive(0.7).get();
    StripingPolicy batched = Striping.batched(count, count, 0.7).get();
    FakeNetwork one = new FakeNetwork(paths, array(bandwidths));
    FakeNetwork other = new FakeNetwork(paths, array(bandwidths));

    for (int i = 0; i < 10; i++) {
      one.move(adaptive, MIB, Marker.STREAM);
      other.move(batched, MIB, Marker.STREAM);
      for (int path = 0; path < count; path++) {
        assertEquals(adaptive.weight(paths, path), batched.weight(paths, path));
      }
    }
  }

  @Test
  void weightMovesWithinTheBatchAndTheBestPathsAreNext() {
    FakePaths paths = FakePaths.of(3);
    StripingPolicy policy = Striping.batched(3, 2, 1).get();
    FakeNetwork network = new FakeNetwork(paths, 10, 90, 50);

    network.move(policy, MIB, Marker.STREAM);
    assertEquals(0, network.pieces[2], "all weights are equal: the first two");
    assertEquals(1.0 / 3, policy.weight(paths, 2));
    assertEquals(2.0 / 3, policy.weight(paths, 0) + policy.weight(paths, 1), 1e-9);

    network.move(policy, MIB, Marker.STREAM);
    assertEquals(0, network.pieces[0], "the worst of the three is left out");
    assertTrue(network.pieces[1] > 0 && network.pieces[2] > 0);
  }

  @Test
  void delayedSamplesAreDiscarded() {
    FakePaths paths = FakePaths.of(2);
    StripingPolicy policy = Striping.adaptive(0.5).get();
    FakeNetwork network = new FakeNetwork(paths, 300, 100);

    long longest = network.move(policy, MIB, Marker.STREAM, Long.MAX_VALUE / 10);

    assertTrue(longest > 0);
    assertEquals(0.5, policy.weight(paths, 0), "both were observed too late");
  }

  @Test
  void zeroWeightIsAbsorbingUnlessProbed() {
    FakePaths paths = FakePaths.of(2);
    StripingPolicy policy = Striping.adaptive(1).get();
    StripingPolicy probing = Striping.probing(Striping.adaptive(1), 4).get();
    for (StripingPolicy each : new StripingPolicy[] {policy, probing}) {
      FakeNetwork dead = new FakeNetwork(paths, 1_000_000, 1e-3);
      dead.move(each, MIB, Marker.STREAM);
      assertTrue(each.weight(paths, 1) < 1e-6, "was " + each.weight(paths, 1));
    }

    FakeNetwork recovered = new FakeNetwork(paths, 100, 100);
    for (int i = 0; i < 8; i++) {
      recovered.move(policy, MIB, Marker.STREAM);
      recovered.move(probing, MIB, Marker.STREAM);
    }

    assertTrue(policy.weight(paths, 1) < 1e-6, "was " + policy.weight(paths, 1));
    assertEquals(0.5, probing.weight(paths, 1), 0.01);
  }

  @Test
  void weightOfALostPathIsDistributedAndANewPathReceivesItsShare() {
    StripingPolicy policy = Striping.adaptive(1).get();
    FakePaths three = FakePaths.of(3);
    new FakeNetwork(three, 60, 30, 10).move(policy, MIB, Marker.STREAM);

    FakePaths two = FakePaths.withIds(0, 1);
    assertEquals(60.0 / 90, policy.weight(two, 0), 1e-4);
    assertEquals(30.0 / 90, policy.weight(two, 1), 1e-4);

    FakePaths again = FakePaths.withIds(0, 1, 7);
    assertEquals(1.0 / 3, policy.weight(again, 2), 1e-9);
    assertEquals(2.0 / 3 * 60 / 90, policy.weight(again, 0), 1e-4);
    assertEquals(1, totalWeight(policy, again), 1e-9);
  }

  private static double[] array(List<Double> numbers) {
    return numbers.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
