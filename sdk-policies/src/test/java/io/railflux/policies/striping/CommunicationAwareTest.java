package io.railflux.policies.striping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.policy.Marker;
import io.railflux.policy.StripingPolicy;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Messages of streams are sent whole, and requests are cut, both according to the measured rates. */
@Tag("MR9")
class CommunicationAwareTest {

  private static final int MIB = 1 << 20;
  private static final int WHOLE = MIB - 1;

  private final StripingPolicy policy = Striping.communicationAware().get();

  @Test
  void cutsARequestOverAllPaths() {
    FakeNetwork network = new FakeNetwork(FakePaths.of(2), 100, 100);
    network.move(policy, MIB, Marker.REQUEST);

    assertEquals(MIB / 2, network.pieces[0]);
    assertEquals(MIB / 2, network.pieces[1]);
  }

  @Test
  void doesNotCutAShortRequest() {
    FakeNetwork network = new FakeNetwork(FakePaths.of(2), 100, 100);
    network.move(policy, (16 << 10) - 1, Marker.REQUEST);

    assertTrue(Arrays.stream(network.pieces).anyMatch(bytes -> bytes == 0));
  }

  @Test
  void messagesOfAStreamAreSentWholeAndUpdateTheWeights() {
    long[] pending = new long[2];
    FakePaths paths = new FakePaths(new int[] {0, 1}, pending);
    FakeNetwork network = new FakeNetwork(paths, 300, 30);
    long[] moved = new long[2];
    for (int i = 0; i < 500; i++) {
      network.move(policy, WHOLE, Marker.STREAM);
      assertTrue(network.pieces[0] == WHOLE || network.pieces[1] == WHOLE, "it was cut");
      for (int path = 0; path < 2; path++) {
        long done = (path == 0 ? 300L : 30L) * WHOLE / 330;
        pending[path] = Math.max(0, pending[path] + network.pieces[path] - done);
        moved[path] += i < 100 ? 0 : network.pieces[path];
      }
    }

    assertEquals(300.0 / 330, policy.weight(paths, 0), 0.001);
    assertEquals(10, (double) moved[0] / moved[1], 1);
  }

  @Test
  void cutsAVeryLargeMessageOfAStream() {
    FakeNetwork network = new FakeNetwork(FakePaths.of(2), 100, 100);
    network.move(policy, MIB, Marker.STREAM);

    assertEquals(MIB / 2, network.pieces[0]);
  }

  @Test
  void piecesArriveAtTheSameTimeWithAnyBytesInFlight() {
    long[] pending = {MIB / 2, 0, 100L * MIB};
    FakeNetwork network =
        new FakeNetwork(new FakePaths(new int[] {0, 1, 2}, pending), 100, 100, 100);
    network.move(policy, MIB, Marker.REQUEST);

    assertEquals(MIB / 4, network.pieces[0], 1);
    assertEquals(3 * MIB / 4, network.pieces[1], 1);
    assertEquals(0, network.pieces[2]);
  }

  @Test
  void triesANewPathWithOneMessageFirst() {
    long[] pending = new long[2];
    new FakeNetwork(FakePaths.of(2), 100, 100).move(policy, MIB, Marker.REQUEST);
    FakePaths paths = new FakePaths(new int[] {0, 7}, pending);
    FakeNetwork network = new FakeNetwork(paths, 100, 1);
    pending[0] = 10L * MIB;
    network.cut(policy, MIB, Marker.REQUEST);
    assertEquals(MIB, network.pieces[1], "it has no bytes in flight");

    pending[1] = MIB;
    network.cut(policy, MIB, Marker.REQUEST);
    assertEquals(MIB, network.pieces[0], "its rate is unknown");
    network.cut(policy, WHOLE, Marker.STREAM);
    assertEquals(WHOLE, network.pieces[0]);
  }

  @Test
  void stopsTryingAPathWithDelayedSamplesOnly() {
    long[] pending = new long[2];
    new FakeNetwork(FakePaths.of(2), 100, 100).move(policy, MIB, Marker.REQUEST);
    FakePaths paths = new FakePaths(new int[] {0, 7}, pending);
    FakeNetwork network = new FakeNetwork(paths, 100, 100);
    pending[0] = 10L * MIB;
    network.move(policy, MIB, Marker.REQUEST, Integer.MAX_VALUE);
    pending[1] = MIB;
    network.cut(policy, MIB, Marker.REQUEST);

    assertEquals(MIB, network.pieces[1], "it has fewer bytes in flight");
  }

  @Test
  void sharingTerminatesWithAnyBytesInFlight() {
    long[] pending = new long[3];
    FakePaths paths = new FakePaths(new int[] {0, 1, 2}, pending);
    FakeNetwork network = new FakeNetwork(paths, 6, 5, 11);
    network.move(policy, MIB, Marker.REQUEST);
    Random random = new Random(7);
    assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
      for (int i = 0; i < 100_000; i++) {
        // Rounding decides at levels at which a path is done together with the others.
        double level = random.nextInt(1, 64) * (double) MIB;
        for (int path = 0; path < 3; path++) {
          pending[path] = (long) (policy.weight(paths, path) * level);
        }
        network.cut(policy, random.nextInt(MIB, 2 * MIB), Marker.REQUEST);
      }
    });
  }

  @Test
  void messageOfAStreamTakesThePathWithTheEarliestArrival() {
    long[] pending = {3L * MIB, 0};
    FakeNetwork network = new FakeNetwork(new FakePaths(new int[] {0, 1}, pending), 100, 100);
    network.move(policy, WHOLE, Marker.STREAM);

    assertEquals(WHOLE, network.pieces[1]);
  }

  @Test
  void smallMessagesTakeTheLeastLoadedPathAWindowAtATime() {
    assertEquals(1, sixteen(new long[] {5_000, 100}));
    assertEquals(0, sixteen(new long[] {100, 5_000}));
  }

  private int sixteen(long[] pending) {
    FakePaths paths = new FakePaths(new int[] {0, 1}, pending);
    int first = policy.next(paths, 64, Marker.STREAM);
    for (int i = 1; i < 16; i++) {
      assertEquals(first, policy.next(paths, 64, Marker.STREAM));
    }
    return first;
  }

  @Test
  void smallMessagesInFlightDoNotPreventTheTrialOfANewPath() {
    StripingPolicy policy = Striping.communicationAware().get();
    new FakeNetwork(FakePaths.withIds(0, 1), 100, 100).move(policy, 8 << 20, Marker.STREAM);
    FakePaths joined = new FakePaths(new int[] {0, 2}, new long[] {0, 4_000}, new long[2]);
    FakeNetwork network = new FakeNetwork(joined, 100, 100);
    network.cut(policy, 8 << 20, Marker.STREAM);

    assertTrue(network.pieces[1] > 0, "it is not tried");
  }
}
