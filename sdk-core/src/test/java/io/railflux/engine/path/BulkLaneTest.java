package io.railflux.engine.path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.RingMemory;
import io.railflux.engine.fakes.FakeEngineContext;
import io.railflux.engine.fakes.FakeRail;
import io.railflux.fabric.Capabilities;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.RemoteRegion;
import io.railflux.fabric.sim.SimConfig;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Chunks of large messages over one subchannel. */
class BulkLaneTest {

  private static final int REGION_BYTES = 64;
  private static final int CHUNK_BYTES = 64;

  private final FakeEngineContext engine = new FakeEngineContext();
  private FakeRail rail;
  private BulkLane lane;

  private void attach(Capabilities capabilities) {
    rail = new FakeRail(engine, capabilities, 0, 64 << 10);
    rail.attach(RingMemory.of(64 << 10), 0);
    lane = rail.subchannel.lane();
  }

  private long key() {
    return rail.endpoint.peerExposes(RingMemory.of(REGION_BYTES));
  }

  private RemoteRegion region() throws RemoteAccessException {
    return lane.region(key(), REGION_BYTES);
  }

  /** Regions that a peer may announce for writes, if its memory is mapped. */
  @Nested
  class RegionsOfAMappedPeer {

    private static final int MAX_REGIONS = 256;

    RegionsOfAMappedPeer() {
      attach(SimConfig.mapped().capabilities());
    }

    @Test
    void regionAnnouncedTwiceIsAttachedOnce() throws RemoteAccessException {
      long key = key();
      assertSame(lane.region(key, REGION_BYTES), lane.region(key, REGION_BYTES));
      assertEquals(1, rail.endpoint.attached);
    }

    @Test
    void evictsTheOldestRegionWithoutPendingWrites() throws RemoteAccessException {
      for (int i = 0; i < 2 * MAX_REGIONS; i++) {
        assertEquals(REGION_BYTES, region().lengthBytes());
      }
      assertEquals(MAX_REGIONS, rail.endpoint.attached);
    }

    @Test
    void evictsNoRegionWithPendingWrites() throws RemoteAccessException {
      region();
      lane.add(this, new Chunks(1));
      for (int i = 1; i < MAX_REGIONS; i++) {
        region();
      }

      assertThrows(RemoteAccessException.class, BulkLaneTest.this::region);
    }
  }

  /** A portion of several chunks without memory. */
  private static final class Chunks implements BulkLane.Writing {

    private int left;
    private boolean hasRoom = true;
    private boolean lost;

    Chunks(int chunks) {
      left = chunks;
    }

    @Override
    public boolean step(BulkLane lane) {
      left -= hasRoom ? 1 : 0;
      return hasRoom;
    }

    @Override
    public boolean isOver() {
      return left == 0;
    }

    @Override
    public void lost() {
      lost = true;
    }
  }

  @Nested
  class Writes {

    Writes() {
      attach(SimConfig.rdma().capabilities());
    }

    @Test
    void writesUpToFourChunksPerCycle() {
      Chunks write = new Chunks(10);
      lane.add("stream", write);

      assertEquals(4, lane.work());
      assertEquals(4, lane.work());
      assertEquals(2, lane.work());
      assertTrue(write.isOver());
      assertEquals(0, lane.work());
    }

    @Test
    void writeWithoutSpaceKeepsItsTurn() {
      Chunks first = new Chunks(1);
      Chunks second = new Chunks(1);
      first.hasRoom = false;
      lane.add("first", first);
      lane.add("second", second);
      assertEquals(0, lane.work());
      assertEquals(1, second.left);

      first.hasRoom = true;
      assertEquals(2, lane.work());
    }

    @Test
    void stopReportsTheLossAndPostsNothing() {
      Chunks write = new Chunks(1);
      lane.add("stream", write);
      lane.stop();

      assertTrue(write.lost);
      assertEquals(0, lane.work());
      assertEquals(1, write.left);
    }

    @Test
    void refusalOfTheOnlyRequestFencesTheEndpoint() throws RemoteAccessException {
      LocalMemory source = rail.fabric.register(RingMemory.of(CHUNK_BYTES));
      rail.endpoint.result = PostResult.QUEUE_FULL;

      assertFalse(lane.write(new Fetch(1), source, 0, CHUNK_BYTES, region(), 0));
      assertNotNull(rail.endpoint.fenced);
    }

    @Test
    void countsWrittenBytesAtCompletion() throws RemoteAccessException {
      LocalMemory source = rail.fabric.register(RingMemory.of(CHUNK_BYTES));
      Fetch requester = new Fetch(1);
      assertTrue(lane.write(requester, source, 0, CHUNK_BYTES, region(), 0));
      assertEquals(Opcode.WRITE, rail.endpoint.posted.peek().opcode());
      assertEquals(0, lane.writtenBytes());
      engine.pass(CHUNK_BYTES / 2);
      rail.completeOne();

      assertEquals(CHUNK_BYTES, lane.writtenBytes());
      assertEquals(2, lane.writtenBytesPerNano());
      assertEquals(1, requester.completed);
    }

    @Test
    void repeatedCompletionCountsOnce() throws RemoteAccessException {
      LocalMemory source = rail.fabric.register(RingMemory.of(CHUNK_BYTES));
      Fetch requester = new Fetch(1);
      lane.write(requester, source, 0, CHUNK_BYTES, region(), 0);
      lane.write(requester, source, 0, CHUNK_BYTES, region(), 0);
      long id = rail.endpoint.posted.peek().id();
      lane.completed(id);
      lane.completed(id);

      assertEquals(1, requester.completed);
      assertEquals(CHUNK_BYTES, lane.writtenBytes());
    }

    @Test
    void drainFlushesPendingRequests() throws RemoteAccessException {
      LocalMemory source = rail.fabric.register(RingMemory.of(CHUNK_BYTES));
      Fetch requester = new Fetch(1);
      lane.write(requester, source, 0, CHUNK_BYTES, region(), 0);
      lane.drained();
      rail.completeOne();

      assertEquals(1, requester.flushed);
      assertEquals(0, requester.completed);
    }
  }

  /** A message that is read in several chunks. */
  private final class Fetch implements BulkLane.Reading {

    private final String name;
    private int left;
    private int completed;
    private int flushed;
    private RemoteRegion source;
    private LocalMemory target;
    private final List<String> done;

    Fetch(int chunks) {
      this("", chunks, new ArrayList<>());
    }

    Fetch(String name, int chunks, List<String> done) {
      this.name = name;
      this.left = chunks;
      this.done = done;
    }

    Fetch begin(Object line) throws RemoteAccessException {
      source = region();
      target = rail.fabric.register(RingMemory.of(CHUNK_BYTES));
      lane.add(line, this);
      return this;
    }

    @Override
    public boolean readChunk(BulkLane into) {
      if (into.read(this, target, 0, CHUNK_BYTES, source)) {
        left--;
      }
      return left > 0;
    }

    @Override
    public void completed(Subchannel subchannel, int bytes, long tookNanos) {
      completed++;
      if (left == 0) {
        done.add(name);
      }
    }

    @Override
    public void flushed() {
      flushed++;
    }
  }

  private static Capabilities reading(int atOnce) {
    Capabilities can = SimConfig.rdma().capabilities();
    return new Capabilities(
        can.features(),
        can.maxSendBytes(),
        can.maxInlineBytes(),
        can.sendQueueDepth(),
        can.receiveQueueDepth(),
        can.eagerLimitBytes(),
        atOnce);
  }

  /** Reads never exceed the limit of an endpoint. Reads without a token wait for their turn. */
  @Nested
  @Tag("RV4")
  class Reads {

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 16})
    void concurrentReadsAreLimitedByTokens(int tokens) throws RemoteAccessException {
      attach(reading(tokens));
      Fetch first = new Fetch(20).begin("first");
      Fetch second = new Fetch(20).begin("second");
      int most = 0;
      while (first.completed + second.completed < 40) {
        lane.work();
        most = Math.max(most, lane.readsOutstanding());
        assertEquals(rail.endpoint.posted.size(), lane.readsOutstanding());
        rail.completeOne();
      }

      assertEquals(tokens, most);
      assertEquals(0, lane.readsOutstanding());
    }

    /** With one token, chunks and messages take turns, and none is skipped. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void readsOfDifferentMessagesTakeTurns(int tokens) throws RemoteAccessException {
      attach(reading(tokens));
      List<String> done = new ArrayList<>();
      new Fetch("large", 100, done).begin("of large");
      for (int i = 0; i < 3; i++) {
        new Fetch("small " + i, 10, done).begin("of small");
      }
      for (int steps = 0; done.size() < 4; steps++) {
        assertTrue(steps < 1_000, done::toString);
        lane.work();
        rail.completeOne();
      }

      assertEquals(List.of("small 0", "small 1", "small 2", "large"), done);
    }

    @Test
    void removedReadIsNotPosted() throws RemoteAccessException {
      attach(reading(1));
      Fetch wanted = new Fetch(1);
      Fetch unwanted = new Fetch(1).begin("line");
      wanted.begin("line");
      lane.remove("line", unwanted);
      lane.work();

      assertEquals(1, unwanted.left);
      assertEquals(0, wanted.left);
    }
  }

  /** The next cycle shows the duration of a copy. */
  @Test
  void copyCompletesInTheNextCycle() {
    attach(SimConfig.mapped().capabilities());
    Fetch requester = new Fetch(1);
    lane.copied(requester, CHUNK_BYTES);
    assertEquals(0, lane.work());
    engine.pass(CHUNK_BYTES);

    assertEquals(1, lane.work());
    assertEquals(1, requester.completed);
    assertEquals(1, lane.writtenBytesPerNano());
  }

  @Test
  void regionWithAnotherLengthIsAttachedAgain() throws RemoteAccessException {
    attach(SimConfig.rdma().capabilities());
    long key = key();
    int before = rail.endpoint.attached;
    RemoteRegion first = lane.region(key, REGION_BYTES);

    assertThrows(RemoteAccessException.class, () -> lane.region(key, 2 * REGION_BYTES));
    assertNotSame(first, lane.region(key, REGION_BYTES));
    assertEquals(before + 1, rail.endpoint.attached);
  }
}
