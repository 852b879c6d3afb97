package io.railflux.engine.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.fakes.FakeEngineContext;
import io.railflux.engine.fakes.FakeRail;
import io.railflux.engine.fakes.FakeSession;
import io.railflux.engine.fakes.SentFrame;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.send.ControlFrame;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.metrics.PeerReadings;
import io.railflux.policy.StripingPolicy;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.ResumeInfo;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The steps of a recovery at one side: fence, RESUME, replay and settlement. */
@Tag("FT1")
@Tag("FT3")
class RecoveryStepsTest {

  private static final int UNKNOWN = FrameType.RETIRE + 20;
  private static final long DETECT_NANOS = 1_000;
  private static final EngineConfig.Timing TIMING = EngineConfig.Timing.DEFAULT
      .withDetectNanos(DETECT_NANOS)
      .withRetry(new EngineConfig.RetryPolicy(1, 1, 2));

  private final FakeSession session = new FakeSession(new FakeEngineContext(
      new EngineConfig("near", EngineConfig.Limits.DEFAULT, TIMING, StripingPolicy::binding)));
  private final FakeRail first = session.join(SimConfig.rdma().capabilities());
  private final FakeRail second = session.join(SimConfig.rdma().capabilities());
  private final List<Subchannel> settled = new ArrayList<>();
  private final List<StreamFailure> ends = new ArrayList<>();
  private final SessionLifecycle lifecycle =
      new SessionLifecycle(session.engine, (host, what) -> {}, "far", session.paths);
  private final RailRecovery recovery = new RailRecovery(
      lifecycle,
      TIMING,
      session.control,
      session.sendPath,
      lost -> session.received.resume(7, lost),
      settled::add);

  RecoveryStepsTest() {
    lifecycle.begin(new SessionLifecycle.Parts() {
      @Override
      public void end(StreamFailure failure) {
        ends.add(failure);
        lifecycle.closed();
      }

      @Override
      public void failSubchannel(Subchannel subchannel, String reason) {
        fail(subchannel, reason);
      }

      @Override
      public boolean isReplaying() {
        return recovery.isReplaying();
      }

      @Override
      public PeerReadings readings() {
        return null;
      }
    });
  }

  private void fail(Subchannel subchannel, String reason) {
    session.sendPath.lookForRoom();
    session.paths.lost(subchannel, reason);
    recovery.fail(subchannel, reason);
  }

  private void send(int frames) {
    for (int i = 0; i < frames; i++) {
      session.control.send(new ControlFrame(UNKNOWN, FrameFlags.SKIPPABLE, 0, 0));
    }
  }

  /** Sends frames over the first rail, which then fails and is fenced. */
  private void loseFirstWith(int frames) {
    session.paths.lost(second.subchannel, "by the test");
    send(frames);
    session.paths.joined(second.subchannel);
    fail(first.subchannel, "by the test");
    recovery.fenced(first.subchannel);
  }

  private void resumed(int subchannel, long expected, long... received) throws ProtocolViolation {
    recovery.onResume(new ResumeInfo(7, subchannel, expected, received));
  }

  private List<Long> replayed() {
    recovery.work();
    return second.sent().stream()
        .filter(frame -> frame.type() == UNKNOWN)
        .map(SentFrame::psn)
        .toList();
  }

  @Test
  void failureFencesTheEndpointAndIsCounted() {
    fail(first.subchannel, "by the test");

    assertEquals("by the test", first.endpoint.fenced);
    assertEquals(Subchannel.State.FENCING, first.subchannel.state());
    assertEquals(1, lifecycle.counters().endpointsLost());
    assertFalse(recovery.isIdle());
  }

  @Test
  void resumeIsSentAfterTheFenceOverALiveRail() throws MalformedFrameException {
    fail(first.subchannel, "by the test");
    recovery.work();
    assertEquals(List.of(), session.sentTypes());
    recovery.fenced(first.subchannel);
    recovery.work();

    List<SentFrame> sent = second.sent();
    assertEquals("RESUME", sent.get(0).name());
    assertEquals(first.subchannel.id, ResumeInfo.decode(sent.get(0).body()).subchannel());
    recovery.work();
    assertEquals(List.of(), second.sent(), "once");
  }

  @Test
  void resumeWaitsForALiveRail() {
    fail(second.subchannel, "by the test");
    fail(first.subchannel, "by the test");
    recovery.fenced(first.subchannel);
    assertEquals(0, recovery.work());
    FakeRail third = session.join(SimConfig.rdma().capabilities());
    recovery.work();

    assertEquals("RESUME", third.sent().get(0).name());
  }

  @Test
  void replaysOnlyMissingFrames() throws ProtocolViolation {
    loseFirstWith(4);
    // The peer received the frames 0 and 2.
    resumed(first.subchannel.id, 1, 1 << 1);

    assertTrue(recovery.isReplaying());
    assertEquals(List.of(1L, 3L), replayed());
    assertFalse(recovery.isReplaying());
    assertEquals(2, lifecycle.counters().framesReplayed());
  }

  @Test
  void acknowledgedFramesAreNotReplayed() throws ProtocolViolation {
    loseFirstWith(3);
    resumed(first.subchannel.id, 0);
    session.window.acknowledge(2);

    assertEquals(List.of(2L), replayed());
  }

  @Test
  void replayedFrameIsReplayedAgainWithItsNextRail() throws ProtocolViolation {
    loseFirstWith(1);
    resumed(first.subchannel.id, 0);
    assertEquals(List.of(0L), replayed());
    FakeRail third = session.join(SimConfig.rdma().capabilities());
    fail(second.subchannel, "by the test");
    recovery.fenced(second.subchannel);
    resumed(second.subchannel.id, 0);
    recovery.work();

    assertEquals(1, third.sent().stream().filter(frame -> frame.psn() == 0).count());
  }

  @Test
  void lossIsSettledWhenBothSidesReported() throws ProtocolViolation {
    loseFirstWith(1);
    recovery.work();
    resumed(first.subchannel.id, 1);
    recovery.work();
    assertEquals(List.of(), settled, "the own RESUME may be missing");
    session.window.acknowledge(session.window.next());
    recovery.work();

    assertEquals(List.of(first.subchannel), settled);
    assertTrue(recovery.isIdle());
  }

  @Test
  void lostResumeIsSentAgain() throws ProtocolViolation {
    fail(first.subchannel, "by the test");
    recovery.fenced(first.subchannel);
    recovery.work();
    assertEquals(List.of("RESUME"), session.sentTypes());
    FakeRail third = session.join(SimConfig.rdma().capabilities());
    fail(second.subchannel, "by the test");
    recovery.fenced(second.subchannel);
    recovery.work();

    assertEquals(
        List.of("RESUME", "RESUME"), third.sent().stream().map(SentFrame::name).toList());
  }

  @Test
  void resumeOfThePeerFailsALiveRail() throws ProtocolViolation {
    resumed(first.subchannel.id, 0);

    assertEquals("given up by the peer", first.subchannel.failure());
  }

  @Test
  void resumeForAnUnknownSubchannelIsRemembered() throws ProtocolViolation {
    resumed(99, 0);

    assertTrue(recovery.isGivenUpByPeer(99));
    assertFalse(recovery.isGivenUpByPeer(98));
  }

  @Test
  void resumeBeyondTheSentFramesIsAViolation() {
    loseFirstWith(1);

    assertThrows(ProtocolViolation.class, () -> resumed(first.subchannel.id, 2));
  }

  @Test
  void abandonedSubchannelEndsAfterTheBoundIfThePeerDoesNotFence() {
    recovery.giveUp(first.subchannel.id, "by the test");
    assertEquals(List.of("RETIRE"), session.sentTypes());
    session.engine.pass(DETECT_NANOS - 1);
    assertTrue(first.subchannel.isLive());
    session.engine.pass(1);

    assertEquals("by the test", first.endpoint.fenced);
    assertEquals(0, lifecycle.counters().endpointsLost(), "an abandoned rail is no loss");
  }

  @Test
  void subchannelAbandonedByThePeerEndsImmediately() {
    recovery.onRetire(first.subchannel.id);

    assertEquals("given up by the peer", first.endpoint.fenced);
    assertEquals(0, lifecycle.counters().endpointsLost());
  }

  @Test
  void frameLostWithSeveralRailsInSuccessionEndsTheSession() throws ProtocolViolation {
    loseFirstWith(1);
    resumed(first.subchannel.id, 0);
    replayed();
    FakeRail carrier = second;
    for (int lost = 0; lost < 3 && ends.isEmpty(); lost++) {
      FakeRail next = session.join(SimConfig.rdma().capabilities());
      session.engine.pass(10 * DETECT_NANOS);
      fail(carrier.subchannel, "by the test");
      recovery.fenced(carrier.subchannel);
      resumed(carrier.subchannel.id, 0);
      recovery.work();
      carrier = next;
    }

    assertEquals(StreamFailure.Kind.LOST, ends.get(0).kind());
    assertTrue(
        ends.get(0).text().contains("was lost with 2 rails in succession"),
        ends.get(0).text());
  }
}
