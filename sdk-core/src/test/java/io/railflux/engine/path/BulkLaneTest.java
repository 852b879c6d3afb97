package io.railflux.engine.path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.railflux.engine.TwoEngines;
import io.railflux.engine.rendezvous.GrantedWrite;
import io.railflux.fabric.Access;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.RemoteRegion;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.wire.Region;
import io.railflux.wire.RendezvousReply;
import org.junit.jupiter.api.Test;

/** Regions that a peer may announce for writes, if its memory is mapped. */
class BulkLaneTest {

  private static final int MAX_REGIONS = 256;

  private final TwoEngines engines = TwoEngines.connected(SimConfig.mapped());
  private final BulkLane lane = engines.nearChannel.live().get(0).lane();

  private long key() {
    return engines
        .farChannel
        .live()
        .get(0)
        .endpoint
        .expose(64, Access.REMOTE_WRITE)
        .key();
  }

  private void awaitAWrite(RemoteRegion region) {
    var grant = new RendezvousReply(0, 0, new Region(region.key(), 64, 0), 0, 64);
    lane.add(this, new GrantedWrite(null, grant, region, null, null));
  }

  @Test
  void regionAnnouncedTwiceIsAttachedOnce() throws RemoteAccessException {
    long key = key();
    assertSame(lane.region(key, 64), lane.region(key, 64));
  }

  @Test
  void evictsTheOldestRegionWithoutPendingWrites() throws RemoteAccessException {
    for (int i = 0; i < 2 * MAX_REGIONS; i++) {
      assertEquals(64, lane.region(key(), 64).lengthBytes());
    }
  }

  @Test
  void evictsNoRegionWithPendingWrites() throws RemoteAccessException {
    awaitAWrite(lane.region(key(), 64));
    for (int i = 1; i < MAX_REGIONS; i++) {
      lane.region(key(), 64);
    }

    assertThrows(RemoteAccessException.class, () -> lane.region(key(), 64));
  }
}
