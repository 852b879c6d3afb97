package io.railflux.engine.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.buffer.PooledBuffer;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.base.Security;
import io.railflux.engine.fakes.ArrivedFrames;
import io.railflux.engine.fakes.FakeEngineContext;
import io.railflux.engine.fakes.FakeRail;
import io.railflux.engine.fakes.FakeSession;
import io.railflux.engine.fakes.SentFrame;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.rendezvous.RendezvousReceive.State;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.policy.Rendezvous;
import io.railflux.policy.StripingPolicy;
import io.railflux.wire.FrameType;
import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.ReceivedFrame;
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
/** Incoming large messages: memory, grants, reads and ends. */
@Tag("RV1")
class RendezvousReceivesTest {

  private static final int BYTES = 300_000;
  private static final int LIMIT = 1 << 20;

  private final Stream stream = new Stream();
  private final List<RendezvousReceive> received = new ArrayList<>();
  private FakeSession session;
  private FakeRail rail;
  private RendezvousReceives receives;

  private static final class Stream implements RendezvousReceives.Receiver {

    private final List<Long> landed = new ArrayList<>();

    @Override
    public boolean isOrdered() {
      return true;
    }

    @Override
    public void onLanded(RendezvousReceive receive) {
      landed.add(receive.id());
    }

    @Override
    public void onNoMemory(RendezvousReceive receive, RuntimeException cause) {
      throw cause;
    }
  }

  private void connect(SimConfig network, Rendezvous mode) {
    session = new FakeSession(new FakeEngineContext(new EngineConfig(
        "near",
        EngineConfig.Limits.DEFAULT.withMaxMessageBytes(LIMIT),
        EngineConfig.Large.DEFAULT.withMode(mode).withReceiveBudgetBytes(LIMIT),
        EngineConfig.Timing.DEFAULT,
        StripingPolicy::roundRobin,
        Security.DEFAULT)));
    rail = session.join(network.capabilities());
    receives = session.rendezvous.receives();
  }

  private void start(RendezvousStart start) throws ProtocolViolation {
    receives.onStart(
        ArrivedFrames.of(FrameType.RNDZ_START, 0, 1, start.transfer()),
        start,
        (frame, announced) -> {
          RendezvousReceive receive = receives.create(announced, stream, frame);
          received.add(receive);
          receive.begin();
        });
  }

  private RendezvousReceive start(long transfer, int bytes) throws ProtocolViolation {
    start(RendezvousStart.notReadable(transfer, bytes, RendezvousStart.MESSAGE, List.of()));
    return received.get(received.size() - 1);
  }

  private long heldBytes() {
    return session.engine.landingMemory().outstandingBytes();
  }

  /** Returns the grants sent since the last call. */
  private List<RendezvousReply> grants() {
    session.work();
    List<RendezvousReply> replies = new ArrayList<>();
    for (SentFrame frame : session.sent()) {
      if (frame.type() == FrameType.RNDZ_REPLY) {
        try {
          replies.add(RendezvousReply.decode(frame.body()));
        } catch (MalformedFrameException e) {
          throw new AssertionError(e);
        }
      }
    }
    return replies;
  }

  private int outcome() throws MalformedFrameException {
    session.work();
    List<SentFrame> sent = session.sent();
    SentFrame done = sent.get(sent.size() - 1);
    assertEquals("RNDZ_DONE", done.name());
    return RendezvousDone.decode(done.body()).outcome();
  }

  /** Fills a granted portion with one value and announces it, as the peer. */
  private void written(FakeRail over, long transfer, RendezvousReply grant, int value)
      throws ProtocolViolation {
    ByteBuffer memory = over.endpoint.exposed(grant.region().key());
    for (int i = 0; i < grant.lengthBytes(); i++) {
      memory.put(grant.region().offset() + i, (byte) value);
    }
    receives.onFin(transfer, grant.grant(), over.subchannel);
  }

  private ByteBuffer deliver(RendezvousReceive receive) throws ProtocolViolation {
    ReceivedFrame frame = new ReceivedFrame();
    receive.readInto(frame, FrameType.DATA);
    ByteBuffer body = ByteBuffer.allocate(frame.bodyBytes()).put(frame.body()).flip();
    receive.delivered(frame);
    return body;
  }

  @Nested
  class Written {

    @Test
    void landsAfterItsPortionIsWritten() throws Exception {
      connect(SimConfig.rdma(), Rendezvous.WRITE);
      RendezvousReceive receive = start(1, BYTES);
      assertEquals(State.MOVING, receive.state());
      RendezvousReply grant = grants().get(0);
      assertEquals(BYTES, grant.lengthBytes());
      written(rail, 1, grant, 7);

      assertEquals(List.of(1L), stream.landed);
      assertEquals(State.LANDED, receive.state());
      assertEquals(RendezvousDone.ARRIVED, outcome());
      assertNull(rail.endpoint.exposed(grant.region().key()), "the peer cannot change it");
      assertEquals(7, deliver(receive).get(BYTES - 1));
      assertEquals(State.OVER, receive.state());
      assertEquals(0, heldBytes());
      assertEquals(0, receives.underWay());
    }

    @Test
    void emptyMessageLandsImmediately() throws ProtocolViolation {
      connect(SimConfig.rdma(), Rendezvous.WRITE);

      assertEquals(State.LANDED, start(1, 0).state());
    }

    @Test
    void copiesPortionsOutOfAWindowIfMemoryCannotBeExposed() throws ProtocolViolation {
      connect(SimConfig.mapped(), Rendezvous.WRITE);
      RendezvousReceive receive = start(1, LIMIT);
      int portions = 0;
      while (stream.landed.isEmpty()) {
        List<RendezvousReply> grants = grants();
        assertTrue(grants.size() <= PortionGrants.MAX_GRANTS && !grants.isEmpty());
        for (RendezvousReply grant : grants) {
          written(rail, 1, grant, ++portions);
        }
      }

      ByteBuffer message = deliver(receive);
      assertEquals(1, message.get(0));
      assertEquals(portions, message.get(LIMIT - 1));
      assertTrue(portions > 1);
    }

    @Test
    void scarceMemoryReducesTheWindow() throws ProtocolViolation {
      connect(SimConfig.mapped(), Rendezvous.WRITE);
      rail.endpoint.exposableBytes = 100_000;
      start(1, BYTES);

      List<RendezvousReply> grants = grants();
      assertTrue(grants.get(0).lengthBytes() < 100_000);
      assertTrue(grants.get(0).region().bytes() <= 100_000);
    }

    @Test
    void waitsForMemoryToExpose() throws ProtocolViolation {
      connect(SimConfig.mapped(), Rendezvous.WRITE);
      rail.endpoint.exposableBytes = 0;
      start(1, BYTES);
      assertEquals(List.of(), grants());
      rail.endpoint.exposableBytes = Long.MAX_VALUE;
      assertTrue(session.engine.timers().size() > 0, "no timer wakes the engine");
      session.engine.pass(10_000_000);

      assertFalse(grants().isEmpty());
    }
  }

  @Nested
  @Tag("FT3")
  class LostRails {

    private FakeRail second;
    private RendezvousReply lost;

    private RendezvousReceive lostInTheMiddle() throws ProtocolViolation {
      connect(SimConfig.rdma(), Rendezvous.WRITE);
      second = session.join(SimConfig.rdma().capabilities());
      start(RendezvousStart.notReadable(
          1, BYTES, RendezvousStart.MESSAGE, List.of(new RendezvousStart.Stripe(0, BYTES))));
      lost = grants().get(0);
      assertEquals(0, lost.subchannel());
      session.failSubchannel(rail.subchannel, "by the test");
      assertEquals(List.of(), grants(), "the peer may still write");
      session.rendezvous.drained(rail.subchannel);
      return received.get(0);
    }

    @Test
    void grantsLostPortionsAgainAfterTheDrain() throws ProtocolViolation {
      RendezvousReceive receive = lostInTheMiddle();
      RendezvousReply again = grants().get(0);
      assertEquals(1, again.subchannel());
      assertNotEquals(lost.grant(), again.grant());
      written(second, 1, again, 7);

      assertEquals(State.LANDED, receive.state());
      assertNull(rail.endpoint.exposed(lost.region().key()));
    }

    @Test
    void acceptsTheRevokedNumberOnce() throws ProtocolViolation {
      lostInTheMiddle();
      receives.onFin(1, lost.grant(), rail.subchannel);

      assertEquals(List.of(), stream.landed);
      assertThrows(ProtocolViolation.class, () -> receives.onFin(1, lost.grant(), rail.subchannel));
    }
  }

  @Nested
  @Tag("RV2")
  class Read {

    private ByteBuffer source;

    private RendezvousReceive readable(SimConfig network) throws ProtocolViolation {
      connect(network, Rendezvous.AUTO);
      source = ByteBuffer.allocateDirect(BYTES).put(BYTES - 1, (byte) 7);
      long key = rail.endpoint.peerExposes(source);
      start(RendezvousStart.readable(
          1, BYTES, 0, new Region(key, BYTES, 0), RendezvousStart.MESSAGE));
      return received.get(0);
    }

    @Test
    void landsAfterItsReads() throws Exception {
      RendezvousReceive receive = readable(SimConfig.rdma());
      while (receive.state() == State.MOVING) {
        assertTrue(session.work() > 0);
        rail.complete();
      }

      assertEquals(RendezvousDone.ARRIVED, outcome());
      assertEquals(7, deliver(receive).get(BYTES - 1));
      assertEquals(0, heldBytes());
    }

    @Test
    void grantsMissingBytesOverAnotherRail() throws ProtocolViolation {
      RendezvousReceive receive = readable(SimConfig.rdma());
      FakeRail second = session.join(SimConfig.rdma().capabilities());
      session.work();
      session.failSubchannel(rail.subchannel, "by the test");
      session.rendezvous.drained(rail.subchannel);

      int missing = grants().stream().mapToInt(RendezvousReply::lengthBytes).sum();
      assertEquals(BYTES, missing);
      assertEquals(State.MOVING, receive.state());
      assertEquals(Subchannel.State.LIVE, second.subchannel.state());
    }

    @Test
    void readsInPlaceWithinAHostAndReportsTheDelivery() throws Exception {
      RendezvousReceive receive = readable(SimConfig.mapped());
      assertEquals(State.LANDED, receive.state());
      assertEquals(List.of(1L), stream.landed);
      assertEquals(List.of(), session.sentTypes());
      assertTrue(rail.subchannel.lane().isReadInPlace());
      assertEquals(7, deliver(receive).get(BYTES - 1));

      assertEquals(RendezvousDone.ARRIVED, outcome());
      assertFalse(rail.subchannel.lane().isReadInPlace());
      assertEquals(0, heldBytes());
    }

    @Test
    void missingRegionIsWrittenInstead() throws ProtocolViolation {
      connect(SimConfig.rdma(), Rendezvous.AUTO);
      start(RendezvousStart.readable(
          1, BYTES, 0, new Region(12_345, BYTES, 0), RendezvousStart.MESSAGE));

      assertEquals(BYTES, grants().get(0).lengthBytes());
    }
  }

  @Nested
  class WithoutMemory {

    private PooledBuffer all;

    private RendezvousReceive waiting() throws ProtocolViolation {
      connect(SimConfig.rdma(), Rendezvous.WRITE);
      all = session.engine.landingMemory().take(() -> {}, LIMIT);
      RendezvousReceive receive = start(1, BYTES);
      assertEquals(State.AWAITING_MEMORY, receive.state());
      assertEquals(List.of(), grants());
      return receive;
    }

    @Test
    void beginsWhenMemoryIsReleased() throws ProtocolViolation {
      RendezvousReceive receive = waiting();
      all.release();
      session.engine.runTasks();
      assertEquals(State.AWAITING_MEMORY, receive.state(), "not inside a callback");

      assertEquals(1, grants().size());
      assertEquals(State.MOVING, receive.state());
    }

    @Test
    void abandonedMessageLeavesTheQueue() throws Exception {
      RendezvousReceive receive = waiting();
      receive.abandon();
      assertEquals(State.OVER, receive.state());
      assertEquals(RendezvousDone.ABANDONED, outcome());
      all.release();
      session.engine.runTasks();

      assertEquals(0, heldBytes());
    }
  }

  @Nested
  class Abandoned {

    @Test
    void keepsMemoryUntilItsGrantReturns() throws Exception {
      connect(SimConfig.rdma(), Rendezvous.WRITE);
      RendezvousReceive receive = start(1, BYTES);
      RendezvousReply grant = grants().get(0);
      receive.abandon();
      assertEquals(State.ABANDONED, receive.state());
      assertTrue(heldBytes() > 0);
      receives.onFin(1, grant.grant(), rail.subchannel);

      assertEquals(State.OVER, receive.state());
      assertEquals(RendezvousDone.ABANDONED, outcome());
      assertEquals(0, heldBytes());
      assertEquals(List.of(), stream.landed);
    }

    @Test
    void keepsMemoryUntilItsRailIsDrained() throws ProtocolViolation {
      connect(SimConfig.rdma(), Rendezvous.WRITE);
      RendezvousReceive receive = start(1, BYTES);
      grants();
      receive.abandon();
      session.failSubchannel(rail.subchannel, "by the test");
      assertEquals(State.ABANDONED, receive.state());
      session.rendezvous.drained(rail.subchannel);

      assertEquals(State.OVER, receive.state());
      assertEquals(0, heldBytes());
    }

    @Test
    void landedMessageEndsImmediately() throws ProtocolViolation {
      connect(SimConfig.rdma(), Rendezvous.WRITE);
      RendezvousReceive receive = start(1, BYTES);
      written(rail, 1, grants().get(0), 7);
      receive.abandon();

      assertEquals(State.OVER, receive.state());
      assertEquals(0, heldBytes());
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
    void messageBeyondTheLimit() {
      connect(SimConfig.rdma(), Rendezvous.AUTO);
      assertViolation("limit is " + LIMIT, () -> start(1, LIMIT + 1));
      assertEquals(0, heldBytes());
    }

    @Test
    void reusedNumber() throws ProtocolViolation {
      connect(SimConfig.rdma(), Rendezvous.AUTO);
      start(5, 1_000);
      assertViolation("transfer 5, which exists already", () -> start(5, 1_000));
    }

    @Test
    void moreTransfersThanAgreed() {
      connect(SimConfig.rdma(), Rendezvous.AUTO);
      assertViolation("large messages", () -> {
        for (int i = 0; i <= RendezvousSends.MAX_TRANSFERS; i++) {
          start(i + 1, 1_000);
        }
      });
      assertEquals(RendezvousSends.MAX_TRANSFERS, received.size());
    }

    @Test
    void finWithoutAGrant() throws ProtocolViolation {
      connect(SimConfig.rdma(), Rendezvous.AUTO);
      start(1, 1_000);
      assertViolation(
          "grant 7, which is not outstanding", () -> receives.onFin(1, 7, rail.subchannel));
    }

    @Test
    void finOverAnotherRail() throws ProtocolViolation {
      connect(SimConfig.rdma(), Rendezvous.WRITE);
      start(1, 1_000);
      RendezvousReply grant = grants().get(0);
      FakeRail other = session.join(SimConfig.rdma().capabilities());
      assertViolation(
          "another subchannel", () -> receives.onFin(1, grant.grant(), other.subchannel));
    }

    @Test
    void finWithoutATransfer() {
      connect(SimConfig.rdma(), Rendezvous.AUTO);
      assertViolation("transfer 9, which never began", () -> receives.onFin(9, 0, rail.subchannel));
    }

    @Test
    void ignoresAFinAfterTheEnd() throws ProtocolViolation {
      connect(SimConfig.rdma(), Rendezvous.AUTO);
      start(1, 1_000).abandon();
      receives.onFin(1, 0, rail.subchannel);
    }
  }

  @Test
  void endReleasesAllMemoryAfterTheEndpointsAreClosed() throws ProtocolViolation {
    connect(SimConfig.rdma(), Rendezvous.WRITE);
    start(1, BYTES);
    grants();
    session.rendezvous.end();
    assertTrue(heldBytes() > 0);
    session.engine.release();

    assertEquals(0, heldBytes());
    assertEquals(State.OVER, received.get(0).state());
    assertEquals(List.of(), session.sentTypes());
  }
}
