package io.railflux.policies.striping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.policy.Marker;
import io.railflux.policy.StripingPolicy;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Streams go whole, requests are cut, both by what paths move. */
@Tag("MR9")
class CommunicationAwareTest {

  private static final int MIB = 1 << 20;

  private final StripingPolicy policy = Striping.communicationAware().get();

  @Test
  void aRequestIsCutOverAllPaths() {
    FakeNetwork network = new FakeNetwork(FakePaths.of(2), 100, 100);
    network.move(policy, MIB, Marker.REQUEST);

    assertEquals(MIB / 2, network.pieces[0]);
    assertEquals(MIB / 2, network.pieces[1]);
  }

  @Test
  void aShortRequestIsNotCut() {
    FakeNetwork network = new FakeNetwork(FakePaths.of(2), 100, 100);
    network.move(policy, (16 << 10) - 1, Marker.REQUEST);

    assertTrue(Arrays.stream(network.pieces).anyMatch(bytes -> bytes == 0));
  }

  @Test
  void messagesOfAStreamGoWholeAndTeachTheWeightsTheirPaths() {
    FakePaths paths = FakePaths.of(2);
    FakeNetwork network = new FakeNetwork(paths, 300, 30);
    long[] moved = new long[2];
    for (int i = 0; i < 500; i++) {
      network.move(policy, MIB, Marker.STREAM);
      assertTrue(network.pieces[0] == MIB || network.pieces[1] == MIB, "it was cut");
      moved[0] += i < 100 ? 0 : network.pieces[0];
      moved[1] += i < 100 ? 0 : network.pieces[1];
    }

    assertEquals(300.0 / 330, policy.weight(paths, 0), 0.001);
    assertEquals(10, (double) moved[0] / moved[1], 1);
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
}
