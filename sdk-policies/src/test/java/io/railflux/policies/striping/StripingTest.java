package io.railflux.policies.striping;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.policy.Marker;
import io.railflux.policy.Shares;
import io.railflux.policy.StripingPolicy;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rules for every policy, and the papers' policies with fixed weights. */
@Tag("MR2")
class StripingTest {

  private static final int MIB = 1 << 20;

  @Provide
  Arbitrary<Supplier<StripingPolicy>> policies() {
    return Arbitraries.of(List.of(
        Striping.binding(),
        Striping.roundRobin(),
        Striping.weightedRoundRobin(3, 1),
        Striping.windowed(4),
        Striping.even(),
        Striping.weighted(0, 2, 1),
        Striping.adaptive(0.5),
        Striping.batched(8, 2),
        Striping.communicationAware(),
        Striping.probing(Striping.communicationAware(), 3),
        Striping.above(4 << 20, Striping.even())));
  }

  @Property(tries = 500)
  void everyPolicyChoosesLivePathsAndCutsAllOfAMessage(
      @ForAll("policies") Supplier<StripingPolicy> policies,
      @ForAll @Size(min = 1, max = 20) List<@IntRange(min = 1, max = 16) Integer> counts,
      @ForAll @IntRange(min = 1) int lengthBytes,
      @ForAll Marker marker) {
    StripingPolicy policy = policies.get();
    Shares shares = new Shares();
    for (int count : counts) {
      FakePaths live = FakePaths.of(count);
      int chosen = policy.next(live, Math.min(lengthBytes, MIB), marker);
      assertTrue(chosen >= 0 && chosen < count, () -> chosen + " of " + count);

      int[] pieces = new int[count];
      shares.reset(count);
      policy.cut(live, lengthBytes, marker, shares);
      shares.cut(lengthBytes, 1, pieces);
      assertEquals(lengthBytes, IntStream.of(pieces).asLongStream().sum());
      assertTrue(IntStream.of(pieces).allMatch(bytes -> bytes >= 0));
    }
  }

  @Test
  void bindingStaysWithTheFirstPath() {
    assertArrayEquals(new int[] {0, 0, 0}, choices(Striping.binding(), 3, 3));
  }

  @Test
  void roundRobinTakesEachPathInTurn() {
    assertArrayEquals(new int[] {0, 1, 2, 0, 1, 2}, choices(Striping.roundRobin(), 3, 6));
  }

  @Test
  void windowedStaysForAWindowOfMessages() {
    assertArrayEquals(new int[] {0, 0, 0, 1, 1, 1, 0}, choices(Striping.windowed(3), 2, 7));
  }

  @Property(tries = 100)
  void weightedRoundRobinGivesEachRailItsShareOfTheMessages(
      @ForAll @Size(min = 2, max = 5) List<@DoubleRange(min = 0.1, max = 10) Double> weights) {
    int messages = 10_000;
    int[] counts = new int[weights.size()];
    for (int choice :
        choices(Striping.weightedRoundRobin(array(weights)), weights.size(), messages)) {
      counts[choice]++;
    }

    double total = 0;
    for (double weight : weights) {
      total += weight;
    }
    for (int i = 0; i < counts.length; i++) {
      assertEquals(messages * weights.get(i) / total, counts[i], 2);
    }
  }

  private static int[] choices(Supplier<StripingPolicy> policies, int paths, int messages) {
    StripingPolicy policy = policies.get();
    FakePaths live = FakePaths.of(paths);
    return IntStream.range(0, messages)
        .map(i -> policy.next(live, 64, Marker.STREAM))
        .toArray();
  }

  @Test
  void evenStripingCutsEqualPieces() {
    assertArrayEquals(new int[] {MIB / 4, MIB / 4, MIB / 4, MIB / 4}, pieces(Striping.even(), 4));
  }

  @Test
  void weightedStripingCutsByTheWeightsOfRails() {
    assertArrayEquals(new int[] {MIB / 4 * 3, MIB / 4}, pieces(Striping.weighted(3, 1), 2));
    assertArrayEquals(
        new int[] {MIB / 2, MIB / 4, MIB / 4},
        pieces(Striping.weighted(2, 1), 3),
        "the last weight applies to all further rails");
  }

  @Test
  void nothingIsCutBelowTheThreshold() {
    assertArrayEquals(new int[] {MIB, 0}, pieces(Striping.above(MIB + 1, Striping.even()), 2));
    assertArrayEquals(
        new int[] {MIB / 2, MIB / 2}, pieces(Striping.above(MIB, Striping.even()), 2));
  }

  /** The paper's threshold is 16 KiB (V 6.2.3). */
  @Test
  void everyPolicyThatCutsHasAThreshold() {
    int length = 16 << 10;
    for (Supplier<StripingPolicy> policy : List.of(
        Striping.even(), Striping.weighted(1, 1), Striping.adaptive(0.5), Striping.batched(2, 2))) {
      assertArrayEquals(new int[] {length / 2, length / 2}, pieces(policy, 2, length));
      int[] shorter = pieces(policy, 2, length - 1);
      assertEquals(0, Math.min(shorter[0], shorter[1]));
    }
    assertArrayEquals(
        new int[] {512, 512}, pieces(Striping.above(1_024, Striping.even()), 2, 1_024));
  }

  private static int[] pieces(Supplier<StripingPolicy> policies, int paths) {
    return pieces(policies, paths, MIB);
  }

  private static int[] pieces(Supplier<StripingPolicy> policies, int paths, int lengthBytes) {
    Shares shares = new Shares();
    shares.reset(paths);
    policies.get().cut(FakePaths.of(paths), lengthBytes, Marker.STREAM, shares);
    int[] pieces = new int[paths];
    shares.cut(lengthBytes, 1, pieces);
    return pieces;
  }

  @Test
  void reportsInvalidParameters() {
    assertMessage("windowed(messages) must be at least 1, was 0", () -> Striping.windowed(0));
    assertMessage(
        "adaptive: alpha must be above 0 and at most 1, was 0.0", () -> Striping.adaptive(0));
    assertMessage(
        "batched(paths, batch) needs 1 <= batch <= paths, was 2, 3", () -> Striping.batched(2, 3));
    assertMessage(
        "at least one weight must be above 0, the weights were [0.0]", () -> Striping.weighted(0));
    assertMessage(
        "weights must be finite and not negative, were [-1.0]",
        () -> Striping.weightedRoundRobin(-1));
    assertMessage(
        "probing(policy, every) needs every >= 2, was 1",
        () -> Striping.probing(Striping.even(), 1));
  }

  @Test
  void probeUsesASmallPartOfAVeryLargeMessage() {
    FakeNetwork network = new FakeNetwork(FakePaths.of(2), 100, 100);
    StripingPolicy probing = Striping.probing(Striping.binding(), 2).get();
    network.cut(probing, 64 * MIB, Marker.STREAM);
    assertEquals(64 * MIB, network.pieces[0]);
    network.cut(probing, 64 * MIB, Marker.STREAM);

    assertTrue(network.pieces[1] > 0, "it is not tried");
    assertTrue(network.pieces[1] <= MIB / 32, () -> "risks " + network.pieces[1]);
  }

  @Test
  void probeUsesASmallPartOfAnUncutMessage() {
    FakeNetwork network = new FakeNetwork(FakePaths.of(2), 100, 100);
    StripingPolicy probing = Striping.probing(Striping.binding(), 2).get();
    network.cut(probing, MIB / 2, Marker.STREAM);
    assertArrayEquals(new int[] {MIB / 2, 0}, network.pieces);
    network.cut(probing, MIB / 2, Marker.STREAM);

    assertTrue(network.pieces[1] > 0, "it is not tried");
    assertTrue(network.pieces[1] <= MIB / 32, () -> "risks " + network.pieces[1]);
  }

  @Test
  void probesTryOnePathAfterTheOther() {
    FakeNetwork network = new FakeNetwork(FakePaths.of(3), 100, 100, 100);
    StripingPolicy probing = Striping.probing(Striping.binding(), 2).get();
    for (int tried : new int[] {1, 2, 1, 2}) {
      network.cut(probing, MIB, Marker.STREAM);
      network.cut(probing, MIB, Marker.STREAM);
      assertTrue(network.pieces[tried] > 0, () -> "path " + tried + " is not tried");
      assertEquals(0, network.pieces[3 - tried]);
    }
  }

  @Test
  void pathWithAPieceInFlightIsNotProbedAndTheProbeRemainsDue() {
    long[] pending = {0, 1};
    FakeNetwork network = new FakeNetwork(new FakePaths(new int[] {0, 1}, pending), 100, 100);
    StripingPolicy probing = Striping.probing(Striping.binding(), 4).get();
    for (int i = 0; i < 6; i++) {
      network.cut(probing, MIB, Marker.STREAM);
      assertEquals(0, network.pieces[1]);
    }
    pending[1] = 0;
    network.cut(probing, MIB, Marker.STREAM);
    assertTrue(network.pieces[1] > 0, "it is not tried");
    network.cut(probing, MIB, Marker.STREAM);
    assertEquals(0, network.pieces[1]);
  }

  private static void assertMessage(String message, Runnable call) {
    assertEquals(
        message, assertThrows(IllegalArgumentException.class, call::run).getMessage());
  }

  private static double[] array(List<Double> numbers) {
    return numbers.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
