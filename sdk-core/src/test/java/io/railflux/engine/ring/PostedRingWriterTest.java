package io.railflux.engine.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.RingMemory;
import io.railflux.engine.fakes.FakeEndpoint;
import io.railflux.engine.fakes.FakeFabric;
import io.railflux.fabric.Capabilities;
import io.railflux.fabric.Capabilities.Feature;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.RemoteRegion;
import io.railflux.wire.ControlWords;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writes of a ring by posted requests. */
class PostedRingWriterTest {

  private static final int RING_BYTES = 4096;
  private static final int QUEUE_DEPTH = 64;
  private static final int SLOT = FrameHeader.SLOT_BYTES;

  private final OutgoingRing ring = new OutgoingRing(RING_BYTES);
  private final ByteBuffer log = RingMemory.of(256 << 10);
  private final ByteBuffer peerRing = RingMemory.of(RING_BYTES);
  private final ByteBuffer peerWords = RingMemory.of(ControlWords.BYTES);
  private FakeEndpoint endpoint;
  private PostedRingWriter writer;

  private void attach(Feature... features) {
    attach(ring, peerRing, features);
  }

  private void attach(OutgoingRing outgoing, ByteBuffer target, Feature... features) {
    Capabilities capabilities = new Capabilities(
        Capabilities.features(features), 1 << 10, 0, QUEUE_DEPTH, QUEUE_DEPTH, 1 << 20);
    FakeFabric fabric = new FakeFabric(capabilities);
    endpoint = new FakeEndpoint(capabilities);
    ByteBuffer scratch = RingMemory.of(PostedRingWriter.scratchBytes(capabilities));
    PostedRingWriter.Targets targets = new PostedRingWriter.Targets(
        fabric.register(log), fabric.register(scratch), remote(target), remote(peerWords));
    CongestionWindow pace = new CongestionWindow(() -> 0, 1_000_000);
    writer = new PostedRingWriter(outgoing, endpoint, targets, capabilities, pace);
  }

  private RemoteRegion remote(ByteBuffer memory) {
    try {
      return endpoint.attach(endpoint.peerExposes(memory), memory.capacity());
    } catch (RemoteAccessException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeEach
  void attachOrdered() {
    attach(Feature.ORDERED_PLACEMENT);
  }

  private void publish(int logOffset, int lengthBytes) {
    publish(logOffset, lengthBytes, 0);
  }

  private void publish(int logOffset, int lengthBytes, int flags) {
    int headerBytes = FrameHeader.headerBytes(flags, 0);
    writer.publish(
        log, logOffset, FrameHeader.word(lengthBytes, FrameType.DATA, flags, headerBytes));
  }

  /** Returns the sizes of the requests since the last call. */
  private List<Integer> posted() {
    List<Integer> sizes =
        endpoint.posted.stream().map(FakeEndpoint.Posted::lengthBytes).toList();
    endpoint.posted.clear();
    return sizes;
  }

  @Test
  void adjacentFramesShareOneWriteBeforeTheirPublishWord() {
    publish(0, 40);
    publish(SLOT, 40);
    publish(2 * SLOT, 100);
    assertEquals(List.of(), posted());
    assertTrue(writer.flush());

    assertEquals(List.of(4 * SLOT, Long.BYTES), posted());
    assertEquals(40, FrameHeader.lengthBytes(FrameHeader.peek(peerRing, 0)));
    assertEquals(100, FrameHeader.lengthBytes(FrameHeader.peek(peerRing, 2 * SLOT)));
    assertFalse(writer.flush());
  }

  @Test
  void frameElsewhereInTheLogStartsAnotherWrite() {
    publish(0, 40);
    publish(4 * SLOT, 40);
    writer.flush();

    assertEquals(List.of(SLOT, Long.BYTES, SLOT, Long.BYTES), posted());
  }

  @Test
  void atomicSmallWriteNeedsNoPublishWord() {
    attach(Feature.ORDERED_PLACEMENT, Feature.SMALL_WRITES_AT_ONCE);
    publish(0, 40);
    publish(SLOT, 40);
    writer.flush();

    assertEquals(List.of(2 * SLOT), posted());
    assertEquals(40, FrameHeader.lengthBytes(FrameHeader.peek(peerRing, 0)));
  }

  @Test
  void immediateDataAnnouncesUnorderedWrites() {
    attach(Feature.WRITE_WITH_IMMEDIATE);
    publish(0, 40);
    publish(SLOT, 40);
    writer.flush();

    assertEquals(Opcode.WRITE_WITH_IMMEDIATE, endpoint.posted.peek().opcode());
    assertEquals(List.of(2 * SLOT), posted());
  }

  @Test
  void padsTheRestOfTheRing() {
    for (int i = 0; i < 3; i++) {
      publish(i * 1024, 1024);
    }
    writer.flush();
    posted();
    ring.credit(3 * 1024);
    publish(3 * 1024, 2048);
    writer.flush();

    assertEquals(FrameType.PADDING, FrameHeader.type(FrameHeader.peek(peerRing, 3 * 1024)));
    assertEquals(2048, FrameHeader.lengthBytes(FrameHeader.peek(peerRing, 0)));
    assertEquals(List.of(Long.BYTES, 2048, Long.BYTES), posted());
    assertEquals(RING_BYTES + 2048, ring.written());
  }

  @Test
  void postsALongBatchWithoutAFlush() {
    int ringBytes = 256 << 10;
    attach(new OutgoingRing(ringBytes), RingMemory.of(ringBytes), Feature.ORDERED_PLACEMENT);
    publish(0, CongestionWindow.MIN_BYTES);

    assertEquals(List.of(CongestionWindow.MIN_BYTES, Long.BYTES), posted());
  }

  @Test
  void signalsEveryEighthRequest() {
    for (int i = 0; i < 16; i++) {
      assertTrue(writer.report(i, i));
    }

    assertEquals(
        List.of(1L, 9L),
        endpoint.posted.stream()
            .filter(FakeEndpoint.Posted::signaled)
            .map(FakeEndpoint.Posted::id)
            .toList());
  }

  @Test
  void completionsFreeThePlacesOfEarlierRequests() {
    int reported = 0;
    while (writer.report(reported, reported)) {
      reported++;
    }
    assertTrue(reported < QUEUE_DEPTH);
    assertFalse(writer.isReady(SLOT, 0));
    writer.completed(reported);

    assertTrue(writer.report(reported, reported));
    assertTrue(writer.isReady(SLOT, 0));
  }

  @Test
  void tellsCreditAndAcknowledgement() {
    writer.report(640, 12);

    assertEquals(640, ControlWords.load(peerWords, ControlWords.CREDIT_OFFSET));
    assertEquals(12, ControlWords.load(peerWords, ControlWords.ACK_OFFSET));
  }

  @Test
  void renewsPositionsOfUnpostedFramesOnly() {
    assertFalse(writer.renewPositions(640, 12));
    publish(0, 60, FrameFlags.PIGGYBACK);
    assertTrue(writer.renewPositions(640, 12));
    assertEquals(640, log.getLong(FrameHeader.BYTES));
    assertEquals(12, log.getLong(FrameHeader.BYTES + Long.BYTES));
    writer.flush();

    assertFalse(writer.renewPositions(704, 13));
  }

  @Test
  void refusedRequestFencesTheEndpoint() {
    endpoint.result = PostResult.QUEUE_FULL;
    publish(0, 40);
    writer.flush();

    assertNotNull(endpoint.fenced);
  }

  @Test
  void isReadyWhileSpaceAndReserveAreFree() {
    assertTrue(writer.isReady(RING_BYTES, 0));
    assertFalse(writer.isReady(RING_BYTES, SLOT));
    publish(0, 1024);

    assertEquals(RING_BYTES - 1024, writer.contiguousRoom(0));
    assertEquals(RING_BYTES - 1024, writer.capacityBytes() - writer.occupiedBytes());
  }
}
