package io.railflux.engine.path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.RingMemory;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.fakes.FakeEngineContext;
import io.railflux.engine.fakes.FakeRail;
import io.railflux.engine.fakes.SentFrame;
import io.railflux.engine.path.Subchannel.State;
import io.railflux.fabric.Capabilities;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.wire.FrameType;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One endpoint of a session: states, reported progress, and signs of life. */
class SubchannelTest {

  private static final int RING_BYTES = 64 << 10;
  private static final long FIRST_PSN = 1_000;

  private final FakeEngineContext engine = new FakeEngineContext();
  private FakeRail rail;
  private Subchannel subchannel;

  private void attach(Capabilities capabilities) {
    rail = new FakeRail(engine, capabilities, 3, RING_BYTES);
    subchannel = rail.subchannel;
    rail.attach(RingMemory.of(RING_BYTES), FIRST_PSN);
  }

  private void live(Capabilities capabilities) {
    attach(capabilities);
    subchannel.goesLive(engine.nowNanos());
  }

  @Nested
  class States {

    States() {
      attach(SimConfig.rdma().capabilities());
    }

    @Test
    void goesFromHandshakeToRetirement() {
      assertEquals(State.HANDSHAKING, subchannel.state());
      assertFalse(subchannel.wasLive());
      engine.pass(500);
      subchannel.goesLive(engine.nowNanos());
      assertTrue(subchannel.isLive());
      assertEquals(500, subchannel.lastReceivedNanos(), "the handshake does not count");
      engine.pass(300);

      assertTrue(subchannel.fail("by the test"));
      assertEquals(State.FENCING, subchannel.state());
      assertEquals("by the test", subchannel.failure());
      assertEquals(300, subchannel.lastedNanos(engine.nowNanos()));
      subchannel.become(State.FENCED);
      subchannel.become(State.RETIRED);
      assertTrue(subchannel.wasLive());
    }

    @Test
    void secondFailureHasNoEffect() {
      subchannel.goesLive(0);
      assertTrue(subchannel.fail("first"));
      assertFalse(subchannel.fail("second"));

      assertEquals("first", subchannel.failure());
    }

    @Test
    void failureOfAnAbandonedSubchannelKeepsItsReason() {
      subchannel.goesLive(0);
      subchannel.giveUp("no longer wanted");
      subchannel.fail("its link went down");

      assertTrue(subchannel.isGivenUp());
      assertEquals("no longer wanted", subchannel.failure());
    }

    @Test
    void failedHandshakeWasNeverLive() {
      assertTrue(subchannel.fail("refused"));

      assertFalse(subchannel.wasLive());
      assertEquals(0, subchannel.lastedNanos(engine.nowNanos()));
    }

    @ParameterizedTest
    @EnumSource(
        value = State.class,
        names = {"HANDSHAKING", "LIVE", "FENCING", "FENCED"})
    void retiredIsFinal(State next) {
      subchannel.goesLive(0);
      subchannel.become(State.RETIRED);

      assertThrows(IllegalStateException.class, () -> subchannel.become(next));
      assertFalse(subchannel.fail("too late"));
    }
  }

  @Nested
  class Memory {

    @Test
    void isReleasedOnce() {
      live(SimConfig.rdma().capabilities());
      int registered = rail.fabric.registered;
      assertEquals(2, rail.endpoint.exposedCount());
      subchannel.giveMemoryBack();
      subchannel.release();

      assertTrue(rail.endpoint.closed);
      assertEquals(0, rail.endpoint.exposedCount());
      assertEquals(registered - 3, rail.fabric.registered, "scratch, messages and log");
    }

    @Test
    void failedHandshakeReleasesItsMemory() {
      rail = new FakeRail(engine, SimConfig.rdma().capabilities(), 3, RING_BYTES);
      rail.subchannel.release();

      assertEquals(0, rail.fabric.registered);
    }
  }

  /** Reports of progress to the peer. */
  @Nested
  class Progress {

    Progress() {
      live(SimConfig.rdma().capabilities());
    }

    private int flush(long ackPsn) {
      return subchannel.flush(ackPsn, engine.nowNanos(), false);
    }

    @Test
    void reportsNothingWithoutProgress() {
      assertFalse(subchannel.owes(FIRST_PSN));
      assertEquals(0, flush(FIRST_PSN));
      assertEquals(0, rail.endpoint.notified);
    }

    @Test
    void acknowledgementCountsFromTheFirstNumber() {
      assertTrue(subchannel.owes(FIRST_PSN + 5));
      assertEquals(1, flush(FIRST_PSN + 5));

      assertEquals(5, rail.reportedAck());
      assertEquals(1, rail.endpoint.notified);
      assertEquals(0, flush(FIRST_PSN + 5));
    }

    @Test
    void positionsInAFrameAreNotReportedAgain() {
      subchannel.reported(FIRST_PSN + 5);

      assertFalse(subchannel.owes(FIRST_PSN + 5));
      assertEquals(0, flush(FIRST_PSN + 5));
    }

    @Test
    void reportsCreditOfReadFrames() throws ProtocolViolation {
      rail.arrives(FrameType.HEARTBEAT, 0, 0, 0, 0, new byte[0]);
      subchannel.incoming.poll(frame -> true, 10);
      flush(FIRST_PSN);

      assertEquals(64, rail.reportedCredit());
    }

    @Test
    void framesWaitForMoreUnlessProgressIsDue() {
      subchannel.writer().publishLinkFrame(FrameType.HEARTBEAT);
      assertEquals(1, subchannel.flush(FIRST_PSN, engine.nowNanos(), true));
      assertEquals(1, rail.endpoint.heldBack);
      assertEquals(0, rail.endpoint.notified);

      subchannel.writer().publishLinkFrame(FrameType.HEARTBEAT);
      subchannel.flush(FIRST_PSN + 1, engine.nowNanos(), true);
      assertEquals(1, rail.endpoint.notified, "due progress does not wait");
    }
  }

  /** Signs of life of the peer. */
  @Nested
  class SignsOfLife {

    SignsOfLife() {
      live(SimConfig.mapped().capabilities());
    }

    private void send() {
      subchannel.writer().publishLinkFrame(FrameType.HEARTBEAT);
      subchannel.flush(FIRST_PSN, engine.nowNanos(), false);
    }

    @Test
    void sendsAHeartbeatAfterTheInterval() {
      send();
      engine.pass(99);
      subchannel.heartbeat(engine.nowNanos(), 100);
      assertEquals(1, rail.sent().size());
      engine.pass(1);
      subchannel.heartbeat(engine.nowNanos(), 100);

      List<SentFrame> sent = rail.sent();
      assertEquals(1, sent.size());
      assertEquals(FrameType.HEARTBEAT, sent.get(0).type());
      assertEquals(100, subchannel.lastSentNanos());
    }

    @Test
    void creditIsOwedFromTheFirstFlushedFrame() {
      engine.pass(50);
      assertFalse(subchannel.isOwedCredit());
      send();
      assertTrue(subchannel.isOwedCredit());
      assertEquals(50, subchannel.lastProgressNanos());
      engine.pass(10);
      send();
      assertEquals(50, subchannel.lastProgressNanos(), "credit was owed before");

      rail.sent();
      rail.credit();
      subchannel.credited(engine.nowNanos());
      assertFalse(subchannel.isOwedCredit());
      assertEquals(60, subchannel.lastProgressNanos());
    }

    @Test
    void answerTimeIsTheTimeFromAFrameToItsCredit() {
      send();
      engine.pass(700);
      rail.sent();
      rail.credit();
      subchannel.credited(engine.nowNanos());

      assertEquals(700, subchannel.answerNanos());
    }

    @Test
    void changeOfTheWordsIsASignOfLife() {
      engine.pass(10);
      assertFalse(subchannel.mayHaveArrivals());
      subchannel.readWords(engine.nowNanos());
      assertEquals(0, subchannel.lastReceivedNanos());
      rail.peerTells(0, 1);
      assertTrue(subchannel.mayHaveArrivals());
      subchannel.readWords(engine.nowNanos());

      assertEquals(10, subchannel.lastReceivedNanos());
      assertEquals(1, subchannel.ackWord());
      assertFalse(subchannel.mayHaveArrivals());
    }

    @Test
    void unreadFrameIsASignOfLife() {
      rail.arrives(FrameType.HEARTBEAT, 0, 0, 0, 0, new byte[0]);
      assertTrue(subchannel.mayHaveArrivals());
      engine.pass(10);
      subchannel.checkArrivals(engine.nowNanos());

      assertEquals(10, subchannel.lastReceivedNanos());
    }

    @Test
    void excusedTimeIsNoSilence() {
      engine.pass(100);
      subchannel.excuse(30, engine.nowNanos());
      assertEquals(30, subchannel.lastReceivedNanos());
      subchannel.excuse(1_000, engine.nowNanos());

      assertEquals(100, subchannel.lastReceivedNanos());
      assertEquals(100, subchannel.lastProgressNanos());
    }
  }

  /** Immediate data announces frames if writes are placed in any order. */
  @Nested
  class Announcements {

    Announcements() {
      live(SimConfig.unordered().capabilities());
      subchannel.postAnnouncementReceives();
    }

    @Test
    void frameIsVisibleAfterItsAnnouncement() {
      rail.arrives(FrameType.HEARTBEAT, 0, 0, 0, 0, new byte[0]);
      assertFalse(subchannel.incoming.hasFrame());
      subchannel.received(0, 1);

      assertTrue(subchannel.incoming.hasFrame());
    }

    @Test
    void repeatedCompletionAnnouncesNothing() throws ProtocolViolation {
      rail.arrives(FrameType.HEARTBEAT, 0, 0, 0, 0, new byte[0]);
      rail.arrives(FrameType.HEARTBEAT, 0, 0, 0, 0, new byte[0]);
      int receives = rail.endpoint.receives.size();
      subchannel.received(0, 1);
      subchannel.received(0, 1);

      assertEquals(1, subchannel.incoming.poll(frame -> true, 10));
      assertEquals(
          receives + 1, rail.endpoint.receives.size(), "each receive is posted again once");
    }
  }

  @Test
  void describesItself() {
    live(SimConfig.rdma().capabilities());

    assertEquals("subchannel 3 over fake#3 to far/fake", subchannel.toString());
    assertEquals("fake#3 to far/fake (same host, same user)", subchannel.explain());
    assertNotNull(subchannel.lane());
  }
}
