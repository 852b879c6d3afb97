package io.railflux.engine.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.fakes.FakeRail;
import io.railflux.engine.fakes.FakeSession;
import io.railflux.engine.path.BulkLane;
import io.railflux.engine.send.SendPath;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.pipeline.Slot;
import io.railflux.wire.Region;
import io.railflux.wire.RendezvousReply;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One portion of a large message, step by step. */
@Tag("RV1")
class GrantedWriteTest {

  private FakeSession session;
  private FakeRail rail;
  private BulkLane lane;
  private RendezvousSend send;
  private ByteBuffer target;

  private void connect(SimConfig network) {
    session = FakeSession.over(network.capabilities());
    rail = session.rails.get(0);
    lane = rail.subchannel.lane();
  }

  private GrantedWrite granted(int bytes) throws RemoteAccessException {
    ByteBuffer message = ByteBuffer.allocateDirect(bytes);
    for (int i = 0; i < bytes; i++) {
      message.put(i, (byte) (i * 31));
    }
    SourceMemory source = SourceMemory.ofUser(message);
    send = new RendezvousSend(session.rendezvous.sends(), 1, null, 0, source);
    target = ByteBuffer.allocateDirect(bytes);
    long key = rail.endpoint.peerExposes(target);
    RendezvousReply grant = new RendezvousReply(0, 0, new Region(key, bytes, 0), 0, bytes);
    return new GrantedWrite(
        send,
        grant,
        lane.region(key, bytes),
        session.sendPath,
        source.local(session.engine, rail.rail));
  }

  private void assertArrived() {
    assertEquals(send.source().exposable(), target);
  }

  @Test
  void finIsSentWithTheLastChunk() throws RemoteAccessException {
    connect(SimConfig.rdma());
    GrantedWrite write = granted(2 * lane.writeBytes());

    assertTrue(write.step(lane));
    assertFalse(write.isOver());
    assertEquals(List.of(), session.sentTypes());
    assertTrue(write.step(lane));
    assertTrue(write.isOver());
    assertEquals(List.of("RNDZ_FIN"), session.sentTypes());
    assertArrived();
  }

  @Test
  void finTakesASeparateStepAfterACopy() throws RemoteAccessException {
    connect(SimConfig.mapped());
    GrantedWrite write = granted(lane.writeBytes());

    assertTrue(write.step(lane));
    assertFalse(write.isOver());
    assertTrue(write.step(lane));
    assertTrue(write.isOver());
    assertEquals(List.of("RNDZ_FIN"), session.sentTypes());
    assertArrived();
  }

  @Test
  void finWaitsDuringEncoding() throws RemoteAccessException {
    connect(SimConfig.rdma());
    GrantedWrite write = granted(lane.writeBytes());
    Slot encoded = session.sendPath.claimControl(0, 0, 0, SendPath.Reserve.CONTROL);
    encoded.encoding = true;

    assertTrue(write.step(lane), "the chunk needs no space in the ring");
    assertFalse(write.isOver());
    assertFalse(write.step(lane));

    encoded.encoding = false;
    assertTrue(write.step(lane));
    assertTrue(write.isOver());
  }

  @Test
  void abandonedGrantIsReturnedUnwritten() throws RemoteAccessException {
    connect(SimConfig.rdma());
    GrantedWrite write = granted(2 * lane.writeBytes());
    send.abandon();

    assertTrue(write.step(lane));
    assertTrue(write.isOver());
    assertEquals(List.of("RNDZ_FIN"), session.sentTypes());
    assertEquals(0, target.get(1));
  }

  @Test
  void chunkWaitsForAPlaceInTheQueue() throws RemoteAccessException {
    connect(SimConfig.rdma());
    GrantedWrite write = granted(64 * lane.writeBytes());
    int steps = 0;
    while (write.step(lane)) {
      steps++;
    }
    assertTrue(steps > 0 && !write.isOver());
    rail.complete();

    assertTrue(write.step(lane));
  }

  @Test
  void lostWriteIsOver() throws RemoteAccessException {
    connect(SimConfig.rdma());
    GrantedWrite write = granted(2 * lane.writeBytes());
    write.lost();

    assertTrue(write.isOver());
    assertEquals(List.of(), session.sentTypes());
  }
}
