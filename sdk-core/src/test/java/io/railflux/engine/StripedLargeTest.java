package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.TwoEngines.Setting;
import io.railflux.engine.rendezvous.RendezvousProtocolTest;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.policy.Marker;
import io.railflux.policy.Movement;
import io.railflux.policy.Paths;
import io.railflux.policy.Shares;
import io.railflux.policy.StripingPolicy;
import io.railflux.policy.Weights;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.util.context.Context;

/** Large messages are distributed over rails by the striping policy, which receives the results. */
@Tag("MR3")
@Tag("MR6")
class StripedLargeTest {

  private static final int LARGE_BYTES = 400_000;
  private static final long FAST = 400_000_000;
  private static final double ALPHA = 0.5;

  /** Cuts by weights that a test sets, or by measured weights. */
  private static final class Scales implements StripingPolicy {

    private final Weights measured = new Weights();
    private final List<Map<Integer, Long>> moved = new ArrayList<>();
    private final List<Marker> markers = new ArrayList<>();
    private double[] weights = {1, 1};
    private boolean adapts;
    private boolean broken;

    @Override
    public int next(Paths live, int lengthBytes, Marker marker) {
      return 0;
    }

    @Override
    public void cut(Paths live, int lengthBytes, Marker marker, Shares shares) {
      markers.add(marker);
      if (broken) {
        throw new IllegalStateException("on purpose");
      }
      measured.align(live);
      for (int i = 0; i < live.count(); i++) {
        shares.set(i, adapts ? measured.of(i) : weights[live.rail(i)]);
      }
    }

    @Override
    public void moved(Paths live, Movement movement) {
      Map<Integer, Long> bytes = new TreeMap<>();
      for (int i = 0; i < movement.count(); i++) {
        assertTrue(movement.nanos(i) > 0);
        bytes.put(movement.pathId(i), movement.bytes(i));
      }
      moved.add(bytes);
      measured.align(live);
      measured.measure(movement);
      measured.redistribute(ALPHA);
    }
  }

  private final Scales scales = new Scales();
  private TwoEngines engines;

  private void connect(int rails) {
    connect(SimConfig.tcp().withRails(rails));
  }

  private void connect(SimConfig fabric) {
    // The far side accepts the session before it exists on the near side.
    ArrayDeque<StripingPolicy> policies =
        new ArrayDeque<>(List.of(StripingPolicy.binding(), scales));
    engines = TwoEngines.connected(Setting.of(fabric).with(policies::remove));
    for (int rail = 0; rail < fabric.rails(); rail++) {
      engines.link(rail).crawl(FAST);
    }
  }

  private void send(int count) {
    Flow flow = engines.flow("large").sized(LARGE_BYTES).send(count).receive();
    engines.await(flow::ended);
    flow.assertReceived(count);
    assertTrue(flow.completed, () -> "ended by " + flow.error);
    RendezvousProtocolTest.assertNothingHeld(engines);
  }

  private int id(int rail) {
    return engines.nearChannel.live().get(rail).id;
  }

  @Test
  @Tag("MR2")
  void messageIsCutByTheWeights() {
    connect(2);
    scales.weights = new double[] {3, 1};
    send(10);

    assertEquals(10, scales.moved.size());
    for (Map<Integer, Long> bytes : scales.moved) {
      assertEquals(Map.of(id(0), 3L * LARGE_BYTES / 4, id(1), LARGE_BYTES / 4L), bytes);
    }
  }

  @Test
  @Tag("MR5")
  void memoryOfStripesStaysRegisteredWithEachRail() {
    connect(2);
    send(60);
    int before = registered(engines.near);
    assertTrue(before > 0 && before < 20, () -> before + " buffers");
    send(20);

    assertEquals(before, registered(engines.near));
  }

  /** Returns the number of registered buffers, equal for each rail of the node. */
  private static int registered(DrivenEngine node) {
    List<Integer> sizes = node.engine().rails().stream()
        .map(rail -> node.engine().registrations().of(rail).size())
        .distinct()
        .toList();
    assertEquals(1, sizes.size(), () -> "not with each rail: " + sizes);
    return sizes.get(0);
  }

  @Test
  @Tag("MR9")
  void callDeterminesThePatternUnlessTheUserDoes() {
    connect(2);
    send(3);
    assertEquals(List.of(Marker.STREAM, Marker.STREAM, Marker.STREAM), scales.markers);
    scales.markers.clear();
    Context marked = Context.of(Marker.class, Marker.REQUEST);
    Flow flow = engines.flow("awaited").with(marked).sized(LARGE_BYTES).send(2).receive();
    engines.await(flow::ended);

    assertEquals(List.of(Marker.REQUEST, Marker.REQUEST), scales.markers);
  }

  @Test
  void uncutMessagesAreMeasuredAsWell() {
    connect(2);
    scales.weights = new double[] {0, 1};
    send(5);

    assertEquals(5, scales.moved.size());
    for (Map<Integer, Long> bytes : scales.moved) {
      assertEquals(Map.of(id(1), (long) LARGE_BYTES), bytes);
    }
  }

  @Test
  void measuredWeightsFollowTheRatesOfTheRails() {
    connect(2);
    scales.adapts = true;
    engines.link(1).crawl(FAST / 4);
    send(40);

    assertEquals(0.8, scales.measured.of(0), 0.1);
  }

  @Test
  @Tag("MR8")
  void eachOfFortyPathsGetsItsPiece() {
    scales.weights = new double[40];
    Arrays.fill(scales.weights, 1);
    connect(40);
    send(1);

    assertEquals(40, scales.moved.get(0).size());
  }

  @Test
  void policyIsNotCalledForASinglePath() {
    connect(1);
    scales.broken = true;
    send(5);

    assertEquals(5, scales.moved.size(), "its transfers are reported");
  }

  @Test
  void failedPolicyIsReplacedByAnyRailWithSpace() {
    connect(2);
    scales.broken = true;
    send(20);
  }

  /** As devices do. A message that is sent whole over one rail also reports its speed (MR9: V 6.2). */
  @Test
  @Tag("MR9")
  void readsOfThePeerAreMeasured() {
    connect(SimConfig.rdma().withRails(2));
    scales.weights = new double[] {0, 1};
    send(10);

    assertEquals(Collections.nCopies(10, Map.of(id(1), (long) LARGE_BYTES)), scales.moved);
    double rate = engines.nearChannel.live().get(1).lane().writtenBytesPerNano() * 1e9;
    assertEquals(FAST, rate, FAST / 10.0);
  }

  @Test
  @Tag("FT3")
  void stripesOfALostRailUseTheOthers() {
    connect(2);
    Flow flow = engines.flow("large").sized(LARGE_BYTES).send(40).receive();
    engines.await(() -> flow.received.size() >= 3);
    engines.link(1).down();
    engines.await(flow::ended);

    flow.assertReceived(40);
    assertTrue(flow.completed, () -> "ended by " + flow.error);
    engines.link(1).heal();
    engines.await(() -> TwoEngines.live(engines.nearChannel) == 2);
    RendezvousProtocolTest.assertNothingHeld(engines);
  }

  /** The policy of the receiver, which uses one rail only, does not apply to this direction. */
  @Test
  @Tag("FT3")
  void remainderOfALostRailIsCutByThePolicyOfTheSender() {
    connect(3);
    scales.weights = new double[] {4, 3, 1};
    int first = id(1);
    int second = id(2);
    Flow flow = engines.flow("large").sized(10 * LARGE_BYTES).send(1).receive();
    engines.pass(TwoEngines.MILLIS / 2);
    engines.link(0).down();
    engines.await(flow::ended);

    flow.assertReceived(1);
    Map<Integer, Long> bytes = scales.moved.get(0);
    assertTrue(bytes.get(first) > 10L * LARGE_BYTES * 3 / 8, () -> "nothing was lost: " + bytes);
    assertEquals(3, (double) bytes.get(first) / bytes.get(second), 0.1, bytes::toString);
  }

  @Test
  void messageOfASlowRailDoesNotBlockOthers() {
    connect(2);
    engines.link(1).crawl(FAST / 1_000);
    scales.weights = new double[] {0, 1};
    Flow slow = engines.flow("slow").sized(LARGE_BYTES).send(40).receive();
    engines.pass(TwoEngines.MILLIS);
    scales.weights = new double[] {1, 0};
    Flow fast = engines.flow("fast").sized(LARGE_BYTES).send(20).receive();
    engines.await(fast::ended);

    fast.assertReceived(20);
    assertTrue(slow.received.size() < 40);
  }
}
