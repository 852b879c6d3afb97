package io.railflux.engine.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.base.Security;
import io.railflux.engine.fakes.FakeEngineContext;
import io.railflux.engine.fakes.FakeFrameOwner;
import io.railflux.engine.fakes.FakeRail;
import io.railflux.engine.fakes.FakeSession;
import io.railflux.engine.fakes.SentFrame;
import io.railflux.engine.rendezvous.RendezvousSend.State;
import io.railflux.fabric.Protection;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.pipeline.Slot;
import io.railflux.policy.Marker;
import io.railflux.policy.Paths;
import io.railflux.policy.Rendezvous;
import io.railflux.policy.Shares;
import io.railflux.policy.StripingPolicy;
import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.Region;
import io.railflux.wire.RendezvousDone;
import io.railflux.wire.RendezvousReply;
import io.railflux.wire.RendezvousStart;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

// More than 400 lines: a specification: one test method for each sentence.
/** Outgoing large messages: claims, offers, grants and ends. */
@Tag("RV1")
class RendezvousSendsTest {

  private static final int BYTES = 300_000;
  private static final RendezvousDone ARRIVED = RendezvousDone.of(RendezvousDone.ARRIVED);
  private static final RendezvousDone ABANDONED = RendezvousDone.of(RendezvousDone.ABANDONED);

  private final Stream stream = new Stream();
  private FakeSession session;
  private FakeRail rail;
  private RendezvousSends sends;

  private static final class Stream extends FakeFrameOwner implements RendezvousSends.Sender {

    private final List<String> over = new ArrayList<>();
    private int onMemoryAvailable;

    Stream() {
      super(9);
    }

    @Override
    public boolean isReply() {
      return false;
    }

    @Override
    public void largeOver(long streamSeq, boolean arrived) {
      over.add(streamSeq + (arrived ? " arrived" : " dropped"));
    }

    @Override
    public void onMemoryAvailable() {
      onMemoryAvailable++;
    }
  }

  private void connect(SimConfig network, Rendezvous mode) {
    connect(network, mode, StripingPolicy.roundRobin());
  }

  private void connect(SimConfig network, Rendezvous mode, StripingPolicy striping) {
    session = new FakeSession(new FakeEngineContext(new EngineConfig(
        "near",
        EngineConfig.Limits.DEFAULT,
        EngineConfig.Large.DEFAULT.withMode(mode),
        EngineConfig.Timing.DEFAULT,
        () -> striping,
        Security.DEFAULT)));
    rail = session.join(network.capabilities());
    sends = session.rendezvous.sends();
  }

  private RendezvousSend send(int bytes) {
    Slot slot = sends.claim(stream, bytes, false);
    assertNotNull(slot);
    slot.bodyBytes = bytes;
    return sends.commit(stream, false, stream.nextSeq++);
  }

  private long heldBytes() {
    return session.engine.sourceMemory().outstandingBytes();
  }

  /** Returns a grant for the whole message over the first rail. */
  private RendezvousReply grant(int number, int bytes) {
    long key = rail.endpoint.peerExposes(ByteBuffer.allocateDirect(bytes));
    return new RendezvousReply(number, 0, new Region(key, bytes, 0), 0, bytes);
  }

  @Nested
  class Claims {

    @Test
    void droppedClaimReleasesItsMemory() {
      connect(SimConfig.rdma(), Rendezvous.WRITE);
      assertNotNull(sends.claim(stream, BYTES, false));
      assertTrue(heldBytes() > 0);
      sends.drop(stream);

      assertEquals(0, heldBytes());
      assertEquals(List.of(), session.sentTypes());
    }

    @Test
    void requestsLeaveStreamsTheirShare() {
      connect(SimConfig.rdma(), Rendezvous.WRITE);
      for (int i = 0; i < RendezvousSends.MAX_TRANSFERS / 2; i++) {
        sends.claimRequest(stream, 1_000).bodyBytes = 1_000;
        sends.commitRequest(0, 1_000 + i, 0, Marker.REQUEST);
      }

      assertNull(sends.claimRequest(stream, 1_000));
      assertNotNull(sends.claim(stream, 1_000, false), "of a stream");
    }

    @Test
    void claimBeyondTheLimitWaitsForTheEndOfAnotherMessage() throws ProtocolViolation {
      connect(SimConfig.rdma(), Rendezvous.WRITE);
      for (int i = 0; i < RendezvousSends.MAX_TRANSFERS; i++) {
        send(1_000);
      }
      assertNull(sends.claim(stream, 1_000, false));
      assertEquals(0, stream.onMemoryAvailable);
      sends.onDone(1, ARRIVED);

      assertEquals(1, stream.onMemoryAvailable);
      assertNotNull(sends.claim(stream, 1_000, false));
    }

    /** Returns the number of messages that keep the path busy. */
    private int maxUnderWay(int bytes) {
      int underWay = 0;
      while (sends.keepsPathBusy(underWay, bytes)) {
        underWay++;
      }
      return underWay;
    }

    @Test
    void movesOneQueuesOneAndEncodesOneWithinAHost() {
      connect(SimConfig.rdma(), Rendezvous.WRITE);

      assertEquals(3, maxUnderWay(1 << 20));
    }

    @Test
    void manyAreInFlightBetweenHosts() {
      connect(SimConfig.rdma(), Rendezvous.WRITE);
      rail.endpoint.protection = Protection.TLS_MUTUAL;

      assertEquals(1 + 16 + 1, maxUnderWay(1 << 20));
      assertEquals(RendezvousSends.MAX_TRANSFERS / 2, maxUnderWay(1));
    }

    @Test
    void lendsHeapMemoryOnlyWithoutPostedRails() {
      connect(SimConfig.mapped(), Rendezvous.AUTO);
      assertTrue(sends.canLend(ByteBuffer.allocate(1)));
      connect(SimConfig.rdma(), Rendezvous.AUTO);

      assertFalse(sends.canLend(ByteBuffer.allocate(1)));
      assertTrue(sends.canLend(ByteBuffer.allocateDirect(1)));
    }
  }

  @Nested
  class Grants {

    @Test
    void keepsTheSourceFromTheGrantUntilDone() throws ProtocolViolation {
      connect(SimConfig.rdma(), Rendezvous.WRITE);
      RendezvousSend send = send(BYTES);
      assertEquals(State.OFFERED, send.state());
      sends.onReply(1, grant(0, BYTES));
      assertEquals(State.WRITING, send.state());
      while (session.work() > 0) {
        rail.complete();
      }
      assertEquals(State.OFFERED, send.state());
      assertEquals(List.of("RNDZ_START", "RNDZ_FIN"), session.sentTypes());
      assertTrue(heldBytes() > 0);
      sends.onDone(1, ARRIVED);

      assertEquals(State.OVER, send.state());
      assertEquals(List.of("0 arrived"), stream.over);
      assertEquals(0, heldBytes());
      assertEquals(0, sends.underWay());
    }

    /** A peer may send DONE during the writes. */
    @Test
    void sourceMemoryIsReleasedAfterTheLastWrite() throws ProtocolViolation {
      connect(SimConfig.rdma(), Rendezvous.WRITE);
      send(8 * BYTES);
      sends.onReply(1, grant(0, 8 * BYTES));
      session.work();
      assertFalse(rail.endpoint.posted.isEmpty());
      sends.onDone(1, ABANDONED);
      assertTrue(heldBytes() > 0, "released during the writes");
      rail.complete();

      assertEquals(0, heldBytes());
    }

    @Test
    @Tag("FT1")
    void grantsOfAMissingRegionCostOneRailButNotTheSession() throws ProtocolViolation {
      connect(SimConfig.mapped(), Rendezvous.WRITE);
      RendezvousSend send = send(BYTES);
      Region unknown = new Region(12_345, 64, 0);
      sends.onReply(1, new RendezvousReply(0, 1, unknown, 0, 64));
      sends.onReply(1, new RendezvousReply(1, 1, unknown, 0, 64));
      assertTrue(send.hasGrants(), "its subchannel is not live yet");
      session.join(SimConfig.mapped().capabilities());
      session.work();

      assertEquals(1, session.failedRails.size());
      assertTrue(
          session.failedRails.get(0).contains("cannot write a large message"),
          session.failedRails::toString);
      assertFalse(send.hasGrants());
      assertEquals(State.OFFERED, send.state());
      assertEquals(List.of(), session.violations);
    }

    @Test
    void abandonedMessageReturnsGrantsUnwritten() throws ProtocolViolation {
      connect(SimConfig.rdma(), Rendezvous.WRITE);
      RendezvousSend send = send(BYTES);
      sends.abandon(stream);
      assertEquals(State.ABANDONED, send.state());
      sends.onReply(1, grant(0, BYTES));
      session.work();

      assertEquals(List.of("RNDZ_START", "RNDZ_FIN"), session.sentTypes());
      assertTrue(rail.subchannel.lane().writtenBytes() == 0 && heldBytes() > 0);
      sends.onDone(1, ABANDONED);
      assertEquals(0, heldBytes());
    }

    @Test
    void dropsGrantsOfALostSubchannel() throws ProtocolViolation {
      connect(SimConfig.rdma(), Rendezvous.WRITE);
      RendezvousSend send = send(BYTES);
      sends.onReply(1, grant(0, BYTES));
      session.failSubchannel(rail.subchannel, "by the test");

      assertEquals(State.OFFERED, send.state());
      assertFalse(send.hasGrants());
    }
  }

  /** Violations by the peer. */
  @Nested
  class Violations {

    private void assertViolation(String text, Executable said) {
      ProtocolViolation violation = assertThrows(ProtocolViolation.class, said);
      assertTrue(violation.getMessage().contains(text), violation.getMessage());
    }

    @Test
    void replyWithoutATransfer() {
      connect(SimConfig.rdma(), Rendezvous.WRITE);
      assertViolation(
          "RNDZ_REPLY for transfer 1, which never began", () -> sends.onReply(1, grant(0, 64)));
    }

    @Test
    void doneWithoutATransfer() {
      connect(SimConfig.rdma(), Rendezvous.WRITE);
      assertViolation(
          "RNDZ_DONE for transfer 1, which never began", () -> sends.onDone(1, ARRIVED));
    }

    @Test
    void ignoresAReplyAfterTheEnd() throws ProtocolViolation {
      connect(SimConfig.rdma(), Rendezvous.WRITE);
      send(BYTES);
      sends.onDone(1, ARRIVED);
      sends.onReply(1, grant(0, 64));

      assertEquals(List.of("0 arrived"), stream.over);
    }

    @Test
    void portionBeyondTheMessage() {
      connect(SimConfig.rdma(), Rendezvous.WRITE);
      send(1_000);
      assertViolation("of a message of 1000 B", () -> sends.onReply(1, grant(0, 1_001)));
    }

    @Test
    void morePortionsThanTheLimit() {
      connect(SimConfig.rdma(), Rendezvous.WRITE);
      send(BYTES);
      assertViolation("portions of a message at once", () -> {
        for (int i = 0; i < 1_000; i++) {
          sends.onReply(1, new RendezvousReply(i, 7, new Region(1, 64, 0), 0, 64));
        }
      });
    }
  }

  private static final class Halves implements StripingPolicy {

    @Override
    public int next(Paths live, int lengthBytes, Marker marker) {
      return 0;
    }

    @Override
    public void cut(Paths live, int lengthBytes, Marker marker, Shares shares) {
      for (int i = 0; i < live.count(); i++) {
        shares.set(i, 1);
      }
    }
  }

  /** Offers to the peer. */
  @Nested
  class Offers {

    private RendezvousStart start() throws MalformedFrameException {
      SentFrame frame = session.sent().get(0);
      assertEquals("RNDZ_START", frame.name());
      assertEquals(stream.id(), frame.streamId());
      return RendezvousStart.decode(frame.body());
    }

    @Test
    void offersNoSourceIfThisSideWrites() throws MalformedFrameException {
      connect(SimConfig.rdma(), Rendezvous.WRITE);
      send(BYTES);

      RendezvousStart start = start();
      assertFalse(start.isReadable());
      assertEquals(BYTES, start.lengthBytes());
    }

    @Test
    @Tag("RV2")
    void exposesTheSourceUntilDoneIfThePeerReads() throws Exception {
      connect(SimConfig.rdma(), Rendezvous.READ);
      int before = rail.endpoint.exposedCount();
      send(BYTES);

      RendezvousStart start = start();
      assertTrue(start.isReadable());
      assertNotNull(rail.endpoint.exposed(start.source().key()));
      sends.onDone(1, new RendezvousDone(RendezvousDone.ARRIVED, 5_000));
      assertEquals(before, rail.endpoint.exposedCount());
      assertEquals(BYTES, rail.subchannel.lane().writtenBytes(), "measures the read");
    }

    @Test
    @Tag("RV2")
    void usesTheWindowUntilDoneInMappedMemory() throws Exception {
      connect(SimConfig.mapped(), Rendezvous.AUTO);
      send(BYTES);
      assertTrue(rail.subchannel.lane().sourceWindow().isInUse());
      assertEquals(0, heldBytes());
      assertTrue(start().isReadable());
      sends.onDone(1, ARRIVED);

      assertFalse(rail.subchannel.lane().sourceWindow().isInUse());
    }

    @Test
    @Tag("RV2")
    void writingSenderReceivesNoPlace() {
      connect(SimConfig.mapped(), Rendezvous.WRITE);
      send(BYTES);

      assertFalse(rail.subchannel.lane().sourceWindow().isInUse());
      assertTrue(heldBytes() > 0);
    }

    @Test
    void cutsAMessageOverSeveralRails() throws MalformedFrameException {
      connect(SimConfig.rdma(), Rendezvous.AUTO, new Halves());
      session.join(SimConfig.rdma().capabilities());
      send(BYTES);

      RendezvousStart start = start();
      assertFalse(start.isReadable());
      assertEquals(
          List.of(
              new RendezvousStart.Stripe(0, BYTES / 2), new RendezvousStart.Stripe(1, BYTES / 2)),
          start.stripes());
    }
  }

  @Test
  void endReleasesAllMemoryAfterTheEndpointsAreClosed() throws ProtocolViolation {
    connect(SimConfig.rdma(), Rendezvous.WRITE);
    send(BYTES);
    send(BYTES);
    sends.onReply(1, grant(0, BYTES));
    session.work();
    session.rendezvous.end();
    assertTrue(heldBytes() > 0);
    session.engine.release();

    assertEquals(0, heldBytes());
    assertEquals(0, sends.underWay());
  }
}
