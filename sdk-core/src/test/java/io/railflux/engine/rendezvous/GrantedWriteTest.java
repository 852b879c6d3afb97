package io.railflux.engine.rendezvous;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.TwoEngines;
import io.railflux.engine.path.BulkLane;
import io.railflux.engine.send.SendPath;
import io.railflux.fabric.Access;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.pipeline.Slot;
import io.railflux.wire.Region;
import io.railflux.wire.RendezvousReply;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One portion of a large message, step by step. */
class GrantedWriteTest {

  private TwoEngines engines;
  private BulkLane lane;

  private void connect(SimConfig network) {
    engines = TwoEngines.connected(network);
    lane = engines.nearChannel.live().get(0).lane();
  }

  private GrantedWrite granted(int bytes) throws RemoteAccessException {
    SourceMemory source = SourceMemory.ofUser(ByteBuffer.allocateDirect(bytes));
    RendezvousSend send =
        new RendezvousSend(engines.nearChannel.rendezvous().sends(), 1, null, 0, source);
    ExposedRegion place =
        engines.farChannel.live().get(0).endpoint.expose(bytes, Access.REMOTE_WRITE);
    Region region = new Region(place.key(), bytes, 0);
    RendezvousReply grant = new RendezvousReply(0, 0, region, 0, bytes);
    return new GrantedWrite(
        send,
        grant,
        lane.region(place.key(), bytes),
        engines.nearChannel.sendPath(),
        source.local(engines.near.engine(), lane.subchannel().rail));
  }

  @Test
  @Tag("RV1")
  void finIsSentWithTheLastChunk() throws RemoteAccessException {
    connect(SimConfig.rdma());
    GrantedWrite write = granted(2 * lane.writeBytes());

    assertTrue(write.step(lane));
    assertFalse(write.isOver());
    assertTrue(write.step(lane));
    assertTrue(write.isOver());
  }

  @Test
  @Tag("RV1")
  void finTakesASeparateStepAfterACopy() throws RemoteAccessException {
    connect(SimConfig.mapped());
    GrantedWrite write = granted(lane.writeBytes());

    assertTrue(write.step(lane));
    assertFalse(write.isOver());
    assertTrue(write.step(lane));
    assertTrue(write.isOver());
  }

  @Test
  @Tag("RV1")
  void finWaitsDuringEncoding() throws RemoteAccessException {
    connect(SimConfig.rdma());
    GrantedWrite write = granted(lane.writeBytes());
    Slot encoded = engines.nearChannel.sendPath().claimControl(0, 0, 0, SendPath.Reserve.CONTROL);
    encoded.encoding = true;

    assertTrue(write.step(lane), "the chunk needs no space in the ring");
    assertFalse(write.isOver());
    assertFalse(write.step(lane));

    encoded.encoding = false;
    assertTrue(write.step(lane));
    assertTrue(write.isOver());
  }
}
