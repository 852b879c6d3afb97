package io.railflux.engine.send;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.fakes.FakeEngineContext;
import io.railflux.engine.fakes.FakeFrameOwner;
import io.railflux.engine.fakes.FakeRail;
import io.railflux.engine.fakes.FakeSession;
import io.railflux.engine.fakes.SentFrame;
import io.railflux.exceptions.MessageTooLargeException;
import io.railflux.fabric.Protection;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.pipeline.Slot;
import io.railflux.policy.Marker;
import io.railflux.policy.StripingPolicy;
import io.railflux.wire.FrameType;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Claims of frames, their order and their rails. */
class SendPathTest {

  private static final int WINDOW = EngineConfig.Limits.MIN_REORDER_WINDOW;
  private static final int RING_BYTES = 64 << 10;
  private static final int UNKNOWN = FrameType.GOODBYE + 100;

  private FakeSession session;
  private SendPath path;

  static Stream<SimConfig> networks() {
    return Stream.of(SimConfig.rdma(), SimConfig.unordered(), SimConfig.mapped());
  }

  private void connect(SimConfig network) {
    connect(network, EngineConfig.Limits.DEFAULT, 0);
  }

  private void connect(SimConfig network, EngineConfig.Limits limits, long patienceNanos) {
    session = new FakeSession(new FakeEngineContext(new EngineConfig(
        "near",
        limits,
        EngineConfig.Timing.DEFAULT.withCreditPatienceNanos(patienceNanos),
        StripingPolicy::binding)));
    path = session.sendPath;
    session.join(network.capabilities());
  }

  private Slot claim(int bytes) {
    return path.claimFrame(0, bytes, 0, Marker.STREAM);
  }

  /** Sends a message; returns false without space. */
  private boolean send(int bytes) {
    Slot slot = claim(bytes);
    if (slot != null) {
      slot.bodyBytes = bytes;
      path.commit(null, FrameType.DATA, 0, 1, 0);
    }
    return slot != null;
  }

  private boolean control(SendPath.Reserve reserve) {
    boolean claimed = path.claimControl(0, 0, 0, reserve) != null;
    if (claimed) {
      path.commit(null, UNKNOWN, 0x80, 0, 0);
    }
    return claimed;
  }

  @Nested
  @Tag("CH1")
  class Reserves {

    private int sendAll() {
      int sent = 0;
      while (send(8)) {
        sent++;
        session.rails.get(0).complete();
      }
      return sent;
    }

    @ParameterizedTest
    @MethodSource("io.railflux.engine.send.SendPathTest#networks")
    void controlFrameOfTheReserveDoesNotOpenItToMessages(SimConfig network) {
      connect(network, EngineConfig.Limits.DEFAULT.withReorderWindow(WINDOW), 0);
      assertEquals(WINDOW - 256, sendAll());

      assertTrue(control(SendPath.Reserve.CONTROL));
      assertFalse(send(8));
      assertEquals(WINDOW - 256 + 1, session.window.inFlight());
    }

    @Test
    void controlFramesLeaveTheLastNumbersToUrgentOnes() {
      connect(SimConfig.rdma(), EngineConfig.Limits.DEFAULT.withReorderWindow(WINDOW), 0);
      while (control(SendPath.Reserve.CONTROL)) {
        session.sent();
        session.rails.get(0).credit();
        session.rails.get(0).complete();
      }

      assertEquals(WINDOW - 32, session.window.inFlight());
      assertTrue(control(SendPath.Reserve.NONE));
    }

    @Test
    void messagesLeaveSpaceInTheRingToControlFrames() {
      connect(SimConfig.mapped(), EngineConfig.Limits.DEFAULT.withRingBytes(RING_BYTES), 0);
      while (send(1_000)) {
        // Until the ring is full.
      }
      assertTrue(session.paths.occupiedBytes() <= RING_BYTES - (8 << 10));

      assertTrue(control(SendPath.Reserve.CONTROL));
      assertTrue(path.stalls > 0);
    }

    @Test
    void gaugesDoNotModifyTheRing() {
      connect(SimConfig.mapped(), EngineConfig.Limits.DEFAULT.withRingBytes(RING_BYTES), 0);
      send(8);
      long written = session.live().get(0).writer().ring().written();

      assertEquals(RING_BYTES, session.paths.capacityBytes());
      assertEquals(written, session.paths.occupiedBytes());
      assertEquals(written, session.live().get(0).writer().ring().written());
    }
  }

  @Nested
  class Order {

    private final FakeFrameOwner stream = new FakeFrameOwner(9);

    private void gather() {
      Slot slot = path.claimMessage(stream, 0, 8, 0);
      slot.bodyBytes = 8;
      path.commitMessage(stream, false, stream.nextSeq);
      stream.nextSeq++;
    }

    @Test
    void postsGatheredMessagesBeforeAControlFrame() {
      connect(SimConfig.rdma());
      gather();
      assertEquals(0, session.window.inFlight());
      session.control.send(new ControlFrame(UNKNOWN, 0x80, 0, 0));

      List<SentFrame> sent = session.sent();
      assertEquals(FrameType.DATA, sent.get(0).type());
      assertEquals(UNKNOWN, sent.get(1).type());
    }

    @Test
    void reportsTheSoleOwnerOfPostedFrames() {
      connect(SimConfig.rdma());
      gather();
      path.publishGathered();
      assertTrue(path.hasPosted());
      assertSame(stream, path.takeSoleOwner());
      assertNull(path.takeSoleOwner());
      gather();
      session.control.send(new ControlFrame(UNKNOWN, 0x80, 0, 0));

      assertNull(path.takeSoleOwner());
    }

    @Test
    void refusesClaimsDuringEncoding() {
      connect(SimConfig.rdma());
      Slot slot = claim(8);
      slot.encoding = true;
      assertNull(claim(8));
      assertNull(path.claimControl(0, 0, 0, SendPath.Reserve.NONE));
      assertFalse(path.fin(session.live().get(0), 1, 0));
      slot.encoding = false;

      assertNotNull(claim(8));
    }

    @Test
    void oversizedMessageFails() {
      connect(SimConfig.rdma(), EngineConfig.Limits.DEFAULT.withMaxMessageBytes(1_000), 0);

      assertThrows(MessageTooLargeException.class, () -> claim(1_001));
      assertThrows(MessageTooLargeException.class, () -> path.requireFits("s", 1_001));
      assertTrue(send(1_000));
    }

    @Test
    void waitsForARail() {
      connect(SimConfig.rdma());
      session.failSubchannel(session.live().get(0), "by the test");

      assertFalse(send(8));
      assertFalse(control(SendPath.Reserve.NONE));
    }
  }

  @Nested
  @Tag("MR2")
  class Rails {

    private FakeRail first;
    private FakeRail second;

    private void connectTwo(long patienceNanos) {
      // The log has more space than a ring.
      EngineConfig.Limits limits =
          new EngineConfig.Limits(RING_BYTES, 1 << 20, 1024, 8 << 10, 8, 8, 8);
      connect(SimConfig.rdma(), limits, patienceNanos);
      first = session.rails.get(0);
      second = session.join(SimConfig.rdma().capabilities());
    }

    private static long written(FakeRail rail) {
      return rail.subchannel.writer().ring().written();
    }

    private void fillFirst() {
      while (written(second) == 0 && send(1_000)) {
        // Until the first ring is full.
      }
    }

    @Test
    void messageUsesTheChosenRail() {
      connectTwo(0);
      send(1_000);

      assertTrue(written(first) > 0);
      assertEquals(0, written(second));
    }

    @Test
    void messagePassesARailWithoutSpace() {
      connectTwo(0);
      fillFirst();

      assertTrue(written(second) > 0);
    }

    @Test
    void messageWaitsForTheChosenRailUntilTheBound() {
      connectTwo(1_000);
      fillFirst();
      assertEquals(0, written(second));
      session.engine.pass(1_000);
      fillFirst();

      assertTrue(written(second) > 0);
    }

    @Test
    void messagesAvoidAnAbandonedRail() {
      connectTwo(0);
      first.subchannel.giveUp("by the test");
      send(1_000);

      assertEquals(0, written(first));
      second.subchannel.giveUp("by the test");
      send(1_000);
      assertTrue(written(first) > 0, "no other rail is left");
    }

    @Test
    @Tag("MR8")
    void furtherConnectionCarriesControlFramesOnly() {
      connectTwo(0);
      session.failSubchannel(first.subchannel, "by the test");
      session.failSubchannel(second.subchannel, "by the test");
      session.join(
          new FakeRail(session.engine, SimConfig.rdma().capabilities(), 2, RING_BYTES, true));

      assertFalse(send(8));
      assertTrue(control(SendPath.Reserve.CONTROL));
    }

    @Test
    @Tag("FT3")
    void replaySendsTheSameFrameOverAnotherRail() {
      connectTwo(0);
      send(1_000);
      long psn = session.window.next() - 1;
      SentFrame sent = session.sent().get(0);
      session.failSubchannel(first.subchannel, "by the test");
      assertTrue(path.replay(psn));

      assertSame(second.subchannel, session.window.carrier(psn));
      assertEquals(List.of(sent), session.sent());
    }

    @Test
    @Tag("MR12")
    void leavingTheRingsMovesFramesInFlightToTheLog() {
      connect(SimConfig.mapped());
      send(1_000);
      var ring = session.window.memory(0);
      FakeRail posted = session.join(SimConfig.rdma().capabilities());

      assertNotSame(ring, session.window.memory(0));
      assertSame(session.log.memory(), session.window.memory(0));
      SentFrame sent = session.sent().get(0);
      session.failSubchannel(session.rails.get(0).subchannel, "by the test");
      assertTrue(path.replay(0));
      assertEquals(List.of(sent), posted.sent());
    }
  }

  @Nested
  @Tag("RV1")
  class LargeMessages {

    private static final int MEDIUM_BYTES = 100_000;

    @Test
    void useTheRingOverOnePathWithinAHost() {
      connect(SimConfig.tcp());

      assertFalse(path.isLarge(MEDIUM_BYTES));
      assertTrue(path.isLarge(path.eagerLimitBytes() + 1));
    }

    @Test
    void useRendezvousSoonerBetweenHosts() {
      connect(SimConfig.tcp());
      session.rails.get(0).endpoint.protection = Protection.TLS_MUTUAL;

      assertTrue(path.isLarge(MEDIUM_BYTES));
    }

    @Test
    void keepRendezvousAfterTheLossOfFurtherPaths() {
      connect(SimConfig.tcp());
      FakeRail second = session.join(SimConfig.tcp().capabilities());
      assertTrue(path.isLarge(MEDIUM_BYTES));
      session.failSubchannel(second.subchannel, "by the test");

      assertTrue(path.isLarge(MEDIUM_BYTES));
    }

    @Test
    void useTheRingsOverSharedMemory() {
      connect(SimConfig.mapped());
      session.join(SimConfig.mapped().capabilities());

      assertFalse(path.isLarge(MEDIUM_BYTES));
    }
  }
}
