package io.railflux.engine.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.DrivenEngine;
import io.railflux.engine.Flow;
import io.railflux.engine.TwoEngines;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.path.Subchannel;
import io.railflux.fabric.sim.LinkModel;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.fabric.sim.SimTimings;
import io.railflux.policy.Rendezvous;
import io.railflux.policy.StripingPolicy;
import io.railflux.wire.FrameHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Sinks;

// More than 400 lines: a specification with one test method for each statement.
/** A rail is suspected within its bound. A peer is dead only after its longer bound (D12). */
@Tag("D12")
@Tag("FT1")
class LivenessTest {

  private static final long DETECT_NANOS = 400 * TwoEngines.MILLIS;
  private static final long PARTITION_NANOS = 2_000 * TwoEngines.MILLIS;

  /** Maximum interval between signs of life of a live rail. */
  private static final long GRAIN_NANOS = DETECT_NANOS / 3 + 5 * TwoEngines.MILLIS;

  /** The fabric itself never gives up a rail, so only silence can be observed. */
  private static SimConfig patient(int rails) {
    return SimConfig.rdma()
        .withRails(rails)
        .withTimings(SimTimings.DEFAULT
            .withRetryTimeout(SimTimings.NEVER)
            .withRetransmitInterval(DETECT_NANOS));
  }

  private static TwoEngines connected(int rails) {
    EngineConfig.Timing timing = EngineConfig.Timing.DEFAULT
        .withDetectNanos(DETECT_NANOS)
        .withPartitionNanos(PARTITION_NANOS);
    return TwoEngines.connected(TwoEngines.Setting.of(patient(rails)).with(timing));
  }

  @Test
  void silentRailIsGivenUpWithinTheDetectionBound() {
    TwoEngines engines = connected(2);
    engines.pass(PARTITION_NANOS);
    long since = engines.network.now();
    engines.link(0).blackHole();

    engines.await(() -> TwoEngines.live(engines.nearChannel) == 1);
    long nearTook = engines.network.now() - since;
    engines.await(() -> TwoEngines.live(engines.farChannel) == 1);
    long farTook = engines.network.now() - since;

    // The last frame of either side was sent up to a heartbeat earlier.
    assertTrue(nearTook >= DETECT_NANOS - GRAIN_NANOS, nearTook + " ns");
    assertTrue(farTook >= DETECT_NANOS - GRAIN_NANOS, farTook + " ns");
    assertTrue(nearTook <= DETECT_NANOS + TwoEngines.MILLIS, nearTook + " ns");
    assertTrue(farTook <= DETECT_NANOS + TwoEngines.MILLIS, farTook + " ns");
    assertEquals(SessionLifecycle.State.ESTABLISHED, engines.nearChannel.state());
  }

  @Test
  void slowRailIsGivenUpWithinTheDetectionBound() {
    TwoEngines engines = connected(2);
    Flow flow = engines.flow("numbers").sized(10_000).send(2_000).receive(1);
    flow.onReceived = number -> flow.subscription.request(1);
    engines.await(() -> flow.received.size() > 10);
    long since = engines.network.now();
    engines.link(0).crawl(10_000);

    engines.await(() -> engines.nearChannel.counters().endpointsLost() == 1);
    long took = engines.network.now() - since;
    engines.await(flow::ended);

    // Bytes in flight were accepted.
    assertTrue(took <= DETECT_NANOS + GRAIN_NANOS, took + " ns");
    flow.assertReceived(2_000);
  }

  @Test
  void idlePeerStaysConnected() {
    TwoEngines engines = connected(2);

    engines.pass(20 * PARTITION_NANOS);

    assertEquals(0, engines.nearChannel.counters().endpointsLost());
    assertEquals(0, engines.farChannel.counters().endpointsLost());
    assertEquals(2, TwoEngines.live(engines.nearChannel));
  }

  @Test
  void onlyTheConnectorSendsHeartbeatsInAnIdlePair() {
    TwoEngines engines = connected(1);
    engines.pass(PARTITION_NANOS);
    long near = written(engines.nearChannel);
    long far = written(engines.farChannel);

    engines.pass(PARTITION_NANOS);

    assertEquals(far, written(engines.farChannel));
    long heartbeats = (written(engines.nearChannel) - near) / FrameHeader.SLOT_BYTES;
    long expected = 3 * PARTITION_NANOS / DETECT_NANOS;
    assertTrue(Math.abs(heartbeats - expected) <= 1, heartbeats + " heartbeats");
  }

  @Test
  void answeringSideWakesUpForHeartbeatsOnly() {
    TwoEngines engines = connected(1);
    engines.pass(PARTITION_NANOS);
    // The arrival of the heartbeat and its consequences occur in consecutive cycles.
    long wakeUps = 0;
    for (long passed = 0; passed < PARTITION_NANOS; passed += TwoEngines.MILLIS) {
      long cycles = engines.far.engine().cycles();
      engines.pass(TwoEngines.MILLIS);
      wakeUps += engines.far.engine().cycles() > cycles ? 1 : 0;
    }

    long heartbeats = 3 * PARTITION_NANOS / DETECT_NANOS;
    assertTrue(wakeUps <= heartbeats + 1, wakeUps + " for " + heartbeats + " heartbeats");
  }

  /** The accepting side sends heartbeats if the other side does not, here because of a pause. */
  @Test
  void creditForAHeartbeatIsDueSinceItsTransmission() {
    TwoEngines engines = connected(1);
    engines.pass(PARTITION_NANOS);
    long far = written(engines.farChannel);

    engines.near.freeze();
    engines.pass(DETECT_NANOS / 8 * 5 + 10 * TwoEngines.MILLIS);
    engines.near.thaw();
    engines.pass(PARTITION_NANOS);

    assertEquals(far + FrameHeader.SLOT_BYTES, written(engines.farChannel));
    assertEquals(0, engines.nearChannel.counters().endpointsLost());
    assertEquals(0, engines.farChannel.counters().endpointsLost());
  }

  /** Simulates a suspended laptop, or the migration of a virtual machine. */
  @Test
  void suspensionDoesNotCountAsSilence() {
    TwoEngines engines = connected(2);
    engines.pass(PARTITION_NANOS);

    engines.near.freeze();
    engines.far.freeze();
    engines.pass(2 * PARTITION_NANOS);
    engines.near.thaw();
    engines.pass(DETECT_NANOS / 2);
    engines.far.thaw();
    engines.pass(PARTITION_NANOS);

    assertEquals(0, engines.nearChannel.counters().endpointsLost());
    assertEquals(0, engines.farChannel.counters().endpointsLost());
  }

  @Test
  void railThatAcceptsRequestsMakesProgressWithLateCredit() {
    TwoEngines engines = connected(1);
    engines.pass(PARTITION_NANOS);
    Sinks.Many<Long> numbers = Sinks.many().unicast().onBackpressureBuffer();
    engines.flow("numbers").send(numbers.asFlux()).receive();
    engines.pass(DETECT_NANOS);
    engines.far.freeze();
    for (long number = 0; number < 20; number++) {
      long next = number;
      engines.near.run(() -> numbers.emitNext(next, Sinks.EmitFailureHandler.FAIL_FAST));
      engines.pass(TwoEngines.MILLIS / 10);
    }

    Subchannel subchannel = engines.nearChannel.live().get(0);
    assertTrue(subchannel.isOwedCredit());
    long since = engines.network.now() - subchannel.lastProgressNanos();
    assertTrue(since < TwoEngines.MILLIS, since + " ns");
  }

  private static long written(VirtualChannel channel) {
    return channel.live().get(0).writer().ring().written();
  }

  /** News that is sent over both rails arrives over one of them first. The other rail then carries no news. */
  @Test
  void railWithoutNewsIsNotSilent() {
    TwoEngines engines = TwoEngines.connected(TwoEngines.Setting.of(patient(2))
        .with(EngineConfig.Timing.DEFAULT.withDetectNanos(DETECT_NANOS))
        .with(StripingPolicy::binding));
    engines.link(1).model(LinkModel.FAST.withLatency(50_000, 50_000));
    Sinks.Many<Long> numbers = Sinks.many().unicast().onBackpressureBuffer();
    Flow flow = engines.flow("numbers").send(numbers.asFlux()).receive(1);
    flow.onReceived = number -> flow.subscription.request(1);
    int count = 500;
    for (long number = 0; number < count; number++) {
      long next = number;
      engines.near.run(() -> numbers.emitNext(next, Sinks.EmitFailureHandler.FAIL_FAST));
      engines.pass(DETECT_NANOS / 50);
    }

    flow.assertReceived(count);
    assertEquals(0, engines.nearChannel.counters().endpointsLost());
    assertEquals(0, engines.farChannel.counters().endpointsLost());
  }

  @ParameterizedTest
  @EnumSource(Rendezvous.class)
  void heartbeatsDoNotWaitBehindLargeMessagesOnASlowPath(Rendezvous mode) {
    LinkModel slow = LinkModel.FAST.withRate(2_000_000);
    TwoEngines engines = TwoEngines.connected(TwoEngines.Setting.of(patient(1).withLink(slow))
        .with(EngineConfig.Timing.DEFAULT.withDetectNanos(DETECT_NANOS))
        .with(EngineConfig.Large.DEFAULT.withMode(mode)));
    Flow large = engines.flow("large").sized(4_000_000).send(2).receive();
    engines.pass(20 * DETECT_NANOS);

    large.assertReceived(2);
    assertEquals(0, engines.nearChannel.counters().endpointsLost());
    assertEquals(0, engines.farChannel.counters().endpointsLost());
  }

  @Test
  void silentPeerIsLostAfterThePartitionBoundAndNotBefore() {
    TwoEngines engines = connected(1);
    StreamFailure[] failure = new StreamFailure[1];
    engines.near.run(() -> engines.nearChannel.onEnd(f -> failure[0] = f));
    engines.pass(PARTITION_NANOS);
    long since = engines.network.now();
    engines.link(0).blackHole();

    engines.pass(PARTITION_NANOS - GRAIN_NANOS);
    assertFalse(engines.nearChannel.isClosed());
    assertEquals(SessionLifecycle.State.PAUSED, engines.nearChannel.state());
    engines.await(engines.nearChannel::isClosed);
    long took = engines.network.now() - since;

    assertTrue(took <= PARTITION_NANOS + GRAIN_NANOS, took + " ns");
    assertEquals(StreamFailure.Kind.LOST, failure[0].kind());
    engines.await(engines.farChannel::isClosed);
    assertTrue(engines.near.engine().channels().isEmpty());
  }

  @Test
  void peerThatReturnsInTimeIsNotLost() {
    TwoEngines engines = connected(1);
    engines.link(0).blackHole();
    engines.pass(PARTITION_NANOS / 2);
    engines.link(0).heal();

    engines.await(() -> TwoEngines.live(engines.nearChannel) == 1);
    engines.pass(2 * PARTITION_NANOS);

    assertEquals(SessionLifecycle.State.ESTABLISHED, engines.nearChannel.state());
    assertEquals(SessionLifecycle.State.ESTABLISHED, engines.farChannel.state());
  }

  @Test
  void stoppedPeerIsSuspectedButNotLost() {
    TwoEngines engines = connected(1);
    engines.far.freeze();
    engines.pass(PARTITION_NANOS / 2);
    assertEquals(SessionLifecycle.State.PAUSED, engines.nearChannel.state());

    engines.far.thaw();
    engines.await(() -> TwoEngines.live(engines.nearChannel) == 1);

    Flow flow = engines.flow("numbers").send(3).receive();
    engines.await(flow::ended);
    flow.assertReceived(3);
  }

  @Test
  void silenceIsNotSuspiciousIfTheFabricReportsDeaths() {
    EngineConfig.Timing timing = EngineConfig.Timing.DEFAULT
        .withDetectNanos(DETECT_NANOS)
        .withPartitionNanos(100 * PARTITION_NANOS);
    TwoEngines engines =
        TwoEngines.connected(TwoEngines.Setting.of(SimConfig.mapped()).with(timing));
    engines.far.freeze();
    engines.pass(10 * PARTITION_NANOS);
    assertEquals(0, engines.nearChannel.counters().endpointsLost());

    long since = engines.network.now();
    StreamFailure[] failure = new StreamFailure[1];
    engines.near.run(() -> engines.nearChannel.onEnd(f -> failure[0] = f));
    engines.far.kill();
    engines.await(engines.nearChannel::isClosed);

    assertTrue(engines.network.now() - since <= DETECT_NANOS, "waited for the partition bound");
    assertEquals(StreamFailure.Kind.LOST, failure[0].kind());
    assertTrue(failure[0].text().contains("its process ended"), failure[0].text());
  }

  @Test
  void lostRailIsNoDeathIfTheFabricReportsDeaths() {
    EngineConfig.Timing timing = EngineConfig.Timing.DEFAULT.withDetectNanos(DETECT_NANOS);
    TwoEngines engines =
        TwoEngines.connected(TwoEngines.Setting.of(SimConfig.mapped()).with(timing));
    engines.link(0).blackHole();
    engines.near.run(() -> engines.nearChannel.failSubchannel(
        engines.nearChannel.live().get(0), "given up by the test"));
    engines.await(() -> engines.nearChannel.state() == SessionLifecycle.State.PAUSED);
    engines.pass(PARTITION_NANOS);
    assertFalse(engines.nearChannel.isClosed());

    engines.far.kill();
    engines.await(engines.nearChannel::isClosed);
  }

  /** Both sides are idle for several partition bounds. Then the only rail breaks, and the fabric reports the loss. */
  @ParameterizedTest
  @MethodSource("fabrics")
  void idleSessionWaitsForThePartitionBound(SimConfig fabric) {
    TwoEngines engines = idle(fabric);
    cut(engines, 0);

    engines.pass(PARTITION_NANOS - 50 * TwoEngines.MILLIS);
    assertEquals(SessionLifecycle.State.PAUSED, engines.nearChannel.state());
    assertEquals(SessionLifecycle.State.PAUSED, engines.farChannel.state());
    engines.link(0).heal();

    engines.await(() -> TwoEngines.live(engines.nearChannel) == 1);
    engines.pass(PARTITION_NANOS);
    assertEquals(SessionLifecycle.State.ESTABLISHED, engines.nearChannel.state());
    assertEquals(SessionLifecycle.State.ESTABLISHED, engines.farChannel.state());
  }

  @ParameterizedTest
  @MethodSource("fabrics")
  void idleSessionIsLostAfterThePartitionBoundAndReportsTheDuration(SimConfig fabric) {
    TwoEngines engines = idle(fabric);
    List<StreamFailure> failures = new ArrayList<>();
    engines.near.run(() -> engines.nearChannel.onEnd(failures::add));
    engines.far.run(() -> engines.farChannel.onEnd(failures::add));
    cut(engines, 0);

    engines.pass(PARTITION_NANOS + 50 * TwoEngines.MILLIS);

    assertEquals(2, failures.size());
    for (StreamFailure failure : failures) {
      assertTrue(
          failure.text().matches(".* is lost: silent for 20[0-4]\\d ms; .*: cut by the test"),
          failure.text());
    }
  }

  @Test
  void silenceBeginsAtTheLossOfTheLastRail() {
    TwoEngines engines = idle(SimConfig.tcp().withRails(2));
    cut(engines, 0);
    engines.pass(3 * PARTITION_NANOS);
    assertEquals(SessionLifecycle.State.ESTABLISHED, engines.farChannel.state());

    cut(engines, 1);
    engines.pass(PARTITION_NANOS - 50 * TwoEngines.MILLIS);
    assertEquals(SessionLifecycle.State.PAUSED, engines.nearChannel.state());
    assertEquals(SessionLifecycle.State.PAUSED, engines.farChannel.state());
    engines.pass(100 * TwoEngines.MILLIS);
    assertTrue(engines.nearChannel.isClosed() && engines.farChannel.isClosed());
  }

  /** One rail falls silent. The loss of the other rail is reported before the silence is detected. */
  @Test
  void silenceBeginsAtTheLastSignOfLifeOverAnyRail() {
    TwoEngines engines = idle(patient(2));
    engines.link(1).blackHole();
    engines.pass(DETECT_NANOS / 2);
    cut(engines, 0);
    long since = engines.network.now();

    engines.await(engines.farChannel::isClosed);
    long took = engines.network.now() - since;
    assertTrue(took >= PARTITION_NANOS && took <= PARTITION_NANOS + GRAIN_NANOS, took + " ns");
  }

  @Test
  void idleProcessStoppedForLessThanThePartitionBoundIsNotLost() {
    TwoEngines engines = idle(SimConfig.mapped());
    // Just before the next heartbeat.
    engines.pass(PARTITION_NANOS / 3 - 50 * TwoEngines.MILLIS);
    engines.far.freeze();
    engines.pass(PARTITION_NANOS - 100 * TwoEngines.MILLIS);
    assertEquals(SessionLifecycle.State.ESTABLISHED, engines.nearChannel.state());

    engines.far.thaw();
    engines.pass(PARTITION_NANOS);
    assertEquals(SessionLifecycle.State.ESTABLISHED, engines.nearChannel.state());
    assertEquals(SessionLifecycle.State.ESTABLISHED, engines.farChannel.state());

    engines.far.freeze();
    engines.await(engines.nearChannel::isClosed);
  }

  /** On a loaded machine each check is late by some milliseconds, thousands of times within the bound. */
  @Test
  void delaysOfALoadedMachineDoNotExtendThePartitionBound() {
    TwoEngines engines = idle(SimConfig.tcp());
    cut(engines, 0);
    long since = engines.network.now();
    while (!engines.nearChannel.isClosed() && engines.network.now() - since < 2 * PARTITION_NANOS) {
      engines.near.freeze();
      engines.pass(12 * TwoEngines.MILLIS);
      engines.near.thaw();
      engines.pass(2 * TwoEngines.MILLIS);
    }

    long took = engines.network.now() - since;
    assertTrue(took <= PARTITION_NANOS + 50 * TwoEngines.MILLIS, took + " ns");
  }

  @Test
  void suspensionOfThisProcessIsNoSilenceOfThePeer() {
    TwoEngines engines = idle(SimConfig.tcp());
    cut(engines, 0);
    engines.pass(PARTITION_NANOS / 2);
    engines.near.freeze();
    engines.pass(3 * PARTITION_NANOS);
    engines.near.thaw();
    engines.pass(PARTITION_NANOS / 2 - 50 * TwoEngines.MILLIS);
    assertEquals(SessionLifecycle.State.PAUSED, engines.nearChannel.state());

    engines.pass(100 * TwoEngines.MILLIS);
    assertTrue(engines.nearChannel.isClosed());
  }

  static Stream<SimConfig> fabrics() {
    return Stream.of(SimConfig.tcp(), SimConfig.rdma(), SimConfig.mapped());
  }

  /** Connected, and idle for several times the longest bound. */
  private static TwoEngines idle(SimConfig fabric) {
    EngineConfig.Timing timing = EngineConfig.Timing.DEFAULT
        .withDetectNanos(DETECT_NANOS)
        .withPartitionNanos(PARTITION_NANOS)
        .withRetry(new EngineConfig.RetryPolicy(TwoEngines.MILLIS, 20 * TwoEngines.MILLIS, 5));
    TwoEngines engines = TwoEngines.connected(TwoEngines.Setting.of(fabric).with(timing));
    engines.pass(3 * PARTITION_NANOS);
    return engines;
  }

  /** Reports the loss of a rail on both sides and prevents new connections over it. */
  private static void cut(TwoEngines engines, int rail) {
    engines.link(rail).down();
    fail(engines.near, engines.nearChannel, rail);
    fail(engines.far, engines.farChannel, rail);
    engines.pass(TwoEngines.MILLIS);
  }

  private static void fail(DrivenEngine engine, VirtualChannel channel, int rail) {
    engine.run(() -> List.copyOf(channel.live()).stream()
        .filter(subchannel -> subchannel.rail.index() == rail)
        .forEach(subchannel -> channel.failSubchannel(subchannel, "cut by the test")));
  }
}
