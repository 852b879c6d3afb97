package io.railflux.engine.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.crypto.KeySchedule.Role;
import io.railflux.engine.RingMemory;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.fakes.FakeEngineContext;
import io.railflux.engine.fakes.FakeRail;
import io.railflux.engine.path.PathRepository;
import io.railflux.engine.path.Subchannel;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.metrics.PeerReadings;
import io.railflux.wire.FrameType;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The checks for dead rails and lost peers at one side (D12). */
@Tag("D12")
class LivenessChecksTest {

  private static final long MILLIS = 1_000_000;
  private static final long DETECT_NANOS = 400 * MILLIS;
  private static final long PARTITION_NANOS = 2_000 * MILLIS;
  private static final EngineConfig.Timing TIMING =
      EngineConfig.Timing.DEFAULT.withDetectNanos(DETECT_NANOS).withPartitionNanos(PARTITION_NANOS);

  private final FakeEngineContext engine = new FakeEngineContext();
  private final PathRepository paths = new PathRepository();
  private final SessionLifecycle session =
      new SessionLifecycle(engine, (host, what) -> {}, "far", paths);
  private final List<FakeRail> rails = new ArrayList<>();
  private Liveness liveness;
  private StreamFailure end;

  private void start(Role role, SimConfig network, int count) {
    session.begin(new SessionLifecycle.Parts() {
      @Override
      public void end(StreamFailure failure) {
        end = failure;
        session.closed();
        liveness.stop();
      }

      @Override
      public void failSubchannel(Subchannel subchannel, String reason) {
        paths.lost(subchannel, reason);
        subchannel.fail(reason);
        liveness.lost(subchannel);
      }

      @Override
      public boolean isReplaying() {
        return false;
      }

      @Override
      public PeerReadings readings() {
        return null;
      }
    });
    for (int i = 0; i < count; i++) {
      FakeRail rail = new FakeRail(engine, network.capabilities(), i, 64 << 10);
      rail.attach(RingMemory.of(64 << 10), 0);
      rail.subchannel.goesLive(engine.nowNanos());
      paths.joined(rail.subchannel);
      rails.add(rail);
    }
    liveness = new Liveness(session, TIMING, role);
    liveness.start();
  }

  private Subchannel subchannel(int rail) {
    return rails.get(rail).subchannel;
  }

  /** Returns the number of heartbeats in this time, in which the peer gives signs of life. */
  private int heartbeats(long nanos) {
    int heartbeats = 0;
    for (long passed = 0; passed < nanos; passed += 10 * MILLIS) {
      engine.pass(10 * MILLIS);
      rails.forEach(rail -> rail.subchannel.onReceived(engine.nowNanos()));
      heartbeats += rails.get(0).sent().size();
      rails.get(0).credit();
      rails.get(0).complete();
    }
    return heartbeats;
  }

  @Test
  @Tag("FT1")
  void silentRailFailsAtTheBoundAndNotBefore() {
    start(Role.CONNECTOR, SimConfig.rdma(), 2);
    for (long passed = 0; passed < DETECT_NANOS; passed += 10 * MILLIS) {
      engine.pass(10 * MILLIS);
      subchannel(1).onReceived(engine.nowNanos());
    }
    assertTrue(subchannel(0).isLive());
    engine.pass(MILLIS);

    assertFalse(subchannel(0).isLive());
    assertTrue(subchannel(0).failure().contains("nothing was received from the peer"));
    assertTrue(subchannel(1).isLive());
    assertNull(end);
  }

  @Test
  void unreadFrameKeepsARail() {
    start(Role.CONNECTOR, SimConfig.rdma(), 1);
    engine.pass(DETECT_NANOS - MILLIS);
    rails.get(0).peerTells(0, 1);
    engine.pass(2 * MILLIS);

    assertTrue(subchannel(0).isLive());
  }

  @Test
  void railWithoutProgressFailsAlthoughThePeerIsHeard() {
    start(Role.CONNECTOR, SimConfig.rdma(), 1);
    subchannel(0).writer().publishLinkFrame(FrameType.HEARTBEAT);
    subchannel(0).flush(0, engine.nowNanos(), false);
    for (long passed = 0; passed <= DETECT_NANOS; passed += 10 * MILLIS) {
      engine.pass(10 * MILLIS);
      subchannel(0).onReceived(engine.nowNanos());
    }

    assertTrue(
        subchannel(0).failure().contains("nothing was consumed by the peer"),
        subchannel(0).failure());
  }

  @Test
  void connectorSendsThreeHeartbeatsWithinTheBound() {
    start(Role.CONNECTOR, SimConfig.rdma(), 1);
    int heartbeats = heartbeats(10 * DETECT_NANOS);

    assertTrue(Math.abs(heartbeats - 30) <= 1, heartbeats + " heartbeats");
  }

  @Test
  void acceptorSendsFewerHeartbeats() {
    start(Role.ACCEPTOR, SimConfig.rdma(), 1);
    int heartbeats = heartbeats(10 * DETECT_NANOS);

    assertTrue(Math.abs(heartbeats - 16) <= 1, heartbeats + " heartbeats");
  }

  @Test
  void peerIsLostAfterThePartitionBound() {
    start(Role.CONNECTOR, SimConfig.rdma(), 1);
    engine.pass(PARTITION_NANOS);
    assertFalse(subchannel(0).isLive());
    assertNull(end);
    engine.pass(10 * MILLIS);

    assertEquals(StreamFailure.Kind.LOST, end.kind());
    assertTrue(end.text().contains("silent for 200"), end.text());
    assertTrue(end.text().contains("its last rail was lost"), end.text());
    assertEquals(Long.MAX_VALUE, engine.timers().untilNextNanos(engine.nowNanos()));
  }

  @Test
  void silenceBeginsAtTheReportedLossOfTheLastRail() {
    start(Role.CONNECTOR, SimConfig.mapped(), 1);
    engine.pass(PARTITION_NANOS / 2);
    session.failSubchannel(subchannel(0), "by the test");
    engine.pass(PARTITION_NANOS);
    assertNull(end);
    engine.pass(10 * MILLIS);

    assertTrue(end.text().contains("by the test"), end.text());
  }

  @Test
  void theMessageNamesTheTrueTimeAndTheSuspension() {
    start(Role.CONNECTOR, SimConfig.rdma(), 1);
    engine.pass(DETECT_NANOS / 2);
    engine.standStill(10 * PARTITION_NANOS);
    engine.pass(2 * PARTITION_NANOS);

    long millis = PARTITION_NANOS / MILLIS;
    Matcher times = Pattern.compile(
            "silent for (\\d+) ms, (\\d+) ms of them while this process was suspended")
        .matcher(end.text());
    assertTrue(times.find(), end.text());
    assertTrue(Long.parseLong(times.group(2)) >= 9 * millis, end.text());
    assertTrue(
        Long.parseLong(times.group(1)) - Long.parseLong(times.group(2)) >= millis, end.text());
  }

  @Test
  void suspensionOfThisProcessIsNoSilence() {
    start(Role.CONNECTOR, SimConfig.rdma(), 1);
    engine.pass(DETECT_NANOS / 2);
    engine.standStill(10 * PARTITION_NANOS);
    engine.pass(MILLIS);
    assertTrue(subchannel(0).isLive());
    engine.pass(DETECT_NANOS);

    assertFalse(subchannel(0).isLive());
    assertNull(end);
  }

  @Test
  void railThatReportsDeathsIsNotSuspected() {
    start(Role.CONNECTOR, SimConfig.mapped(), 1);
    engine.pass(2 * DETECT_NANOS);

    assertTrue(subchannel(0).isLive());
  }

  @Test
  void endOfTheProcessEndsTheSessionImmediately() {
    start(Role.CONNECTOR, SimConfig.mapped(), 1);
    engine.pass(DETECT_NANOS);
    rails.get(0).endpoint.peerGone = true;
    session.failSubchannel(subchannel(0), "the link broke");
    engine.pass(1);

    assertTrue(end.text().contains("its process ended: the link broke"), end.text());
  }
}
