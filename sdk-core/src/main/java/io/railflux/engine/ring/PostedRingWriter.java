package io.railflux.engine.ring;

import io.railflux.fabric.Capabilities;
import io.railflux.fabric.Capabilities.Feature;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.RemoteRegion;
import io.railflux.fabric.WorkRequest;
import io.railflux.wire.ControlWords;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import java.nio.ByteBuffer;

/**
 * Writes a peer's ring by posted writes. Frames that are adjacent in the log and in the ring share one write.
 *
 * <p>With ordered placement the publish word of a batch's first frame is a separate, last write, so that the peer
 * never observes a partial batch. Small batches need no second write if the fabric places small writes atomically.
 * Without ordered placement a write with immediate data announces the slots of the batch (D8). Small items (words,
 * padding, credit) leave from a scratch area with one place per outstanding request, so that no item is overwritten
 * before it left.
 */
public final class PostedRingWriter implements RingWriter {

  private static final int PLACE_BYTES = FrameHeader.SLOT_BYTES;
  private static final int HEADROOM = 8;

  /** Largest number of consecutive bytes without a signaled request. */
  private static final int UNSIGNALED_BYTES = 16 << 10;

  private final OutgoingRing ring;
  private final Endpoint endpoint;
  private Targets targets;
  private final boolean ordered;
  private final int atOnceBytes;
  private final int depth;
  private final CongestionWindow pace;
  private final WorkRequest request = new WorkRequest();

  private long posted;
  private long completed;

  // Bytes up to each outstanding request, and up to the last completed one.
  private final long[] bytesUpTo;
  private long bytesPosted;
  private long bytesPaced;
  private long bytesCompleted;

  private int batchOffset;
  private int batchBytes;
  private int batchRingOffset;
  private long batchWord;

  /** Log offset of the positions in the last frame of the batch that carries some; -1 without any. */
  private int positionsOffset = -1;

  private long flushed;

  /** Registered memory of this side and regions of the peer. */
  public record Targets(
      LocalMemory log, LocalMemory scratch, RemoteRegion ring, RemoteRegion words) {

    private Targets withLog(LocalMemory newLog) {
      return new Targets(newLog, scratch, ring, words);
    }

    private Targets withRing(RemoteRegion newRing) {
      return new Targets(log, scratch, newRing, words);
    }
  }

  public PostedRingWriter(
      OutgoingRing ring,
      Endpoint endpoint,
      Targets targets,
      Capabilities capabilities,
      CongestionWindow pace) {
    this.ring = ring;
    this.endpoint = endpoint;
    this.targets = targets;
    this.ordered = capabilities.orderedPlacement();
    this.atOnceBytes =
        capabilities.has(Feature.SMALL_WRITES_AT_ONCE) ? Capabilities.SMALL_WRITE_BYTES : 0;
    this.depth = scratchPlaces(capabilities);
    this.bytesUpTo = new long[depth];
    this.pace = pace;
  }

  /** Places of the send queue for large messages; the ring writer uses the others. */
  public static int bulkPlaces(Capabilities capabilities) {
    return Math.max(1, Math.min(16, capabilities.sendQueueDepth() / 4));
  }

  static int scratchPlaces(Capabilities capabilities) {
    return Math.min(256, capabilities.sendQueueDepth() - bulkPlaces(capabilities));
  }

  public static int scratchBytes(Capabilities capabilities) {
    return scratchPlaces(capabilities) * PLACE_BYTES;
  }

  @Override
  public ByteBuffer mapped() {
    return null;
  }

  @Override
  public ByteBuffer view() {
    return null;
  }

  @Override
  public OutgoingRing ring() {
    return ring;
  }

  @Override
  public int capacityBytes() {
    return ring.size();
  }

  @Override
  public int occupiedBytes() {
    return ring.occupied();
  }

  @Override
  public boolean isReady(int slotBytes, int reserveBytes) {
    return posted - completed < depth - HEADROOM && ring.hasRoom(slotBytes, reserveBytes);
  }

  @Override
  public boolean isCongested() {
    return !pace.hasRoom(batchBytes);
  }

  @Override
  public int contiguousRoom(int reserveBytes) {
    return Math.min(ring.contiguous(), ring.size() - ring.occupied() - reserveBytes);
  }

  @Override
  public int place(int slotBytes) {
    int contiguous = ring.contiguous();
    if (slotBytes > contiguous) {
      postBatch();
      long padding = FrameHeader.word(contiguous, FrameType.PADDING, 0, FrameHeader.BYTES);
      postWord(ring.offset(), padding, contiguous);
      ring.advance(contiguous);
    }
    return ring.offset();
  }

  @Override
  public void publish(ByteBuffer source, int offset, long word) {
    int slotBytes = FrameHeader.slotBytes(FrameHeader.lengthBytes(word));
    int ringOffset = place(slotBytes);
    boolean extendsBatch = batchBytes > 0
        && offset == batchOffset + batchBytes
        && ringOffset == batchRingOffset + batchBytes;
    if (!extendsBatch) {
      postBatch();
      batchOffset = offset;
      batchRingOffset = ringOffset;
      batchWord = word;
    }
    FrameHeader.publish(source, offset, ordered && !extendsBatch ? 0 : word);
    batchBytes += slotBytes;
    if ((FrameHeader.flags(word) & FrameFlags.PIGGYBACK) != 0) {
      positionsOffset = offset + FrameHeader.BYTES;
    }
    ring.advance(slotBytes);
    if (batchBytes >= CongestionWindow.MIN_BYTES) {
      // The transfer time of a larger request would count as round trip.
      postBatch();
    }
  }

  @Override
  public boolean flush() {
    long flushedBefore = flushed;
    flushed = ring.written();
    postBatch();
    return flushed != flushedBefore;
  }

  private void postBatch() {
    if (batchBytes == 0) {
      return;
    }
    request.write(targets.log(), batchOffset, batchBytes, targets.ring(), batchRingOffset);
    if (batchBytes <= atOnceBytes) {
      FrameHeader.publish(targets.log().memory(), batchOffset, batchWord);
      post();
    } else if (ordered) {
      post();
      postWord(batchRingOffset, batchWord, 0);
    } else {
      announce(batchBytes);
      post();
    }
    batchBytes = 0;
    positionsOffset = -1;
  }

  private void announce(int bytes) {
    request.opcode = Opcode.WRITE_WITH_IMMEDIATE;
    request.immediate = bytes / FrameHeader.SLOT_BYTES;
    request.solicited = true;
  }

  /** Posts one publish word; without ordered placement it announces {@code announcedBytes} of the ring. */
  private void postWord(int ringOffset, long word, int announcedBytes) {
    int place = scratchPlace();
    FrameHeader.publish(targets.scratch().memory(), place, word);
    request.write(targets.scratch(), place, Long.BYTES, targets.ring(), ringOffset);
    if (!ordered) {
      announce(announcedBytes);
    }
    post();
  }

  @Override
  public void publishLinkFrame(int type) {
    postBatch();
    int ringOffset = place(FrameHeader.SLOT_BYTES);
    int place = scratchPlace();
    ByteBuffer scratch = targets.scratch().memory();
    FrameHeader.put(scratch, place, 0, 0, 0);
    long word = FrameHeader.word(FrameHeader.BYTES, type, 0, FrameHeader.BYTES);
    FrameHeader.publish(scratch, place, word);
    request.write(targets.scratch(), place, FrameHeader.BYTES, targets.ring(), ringOffset);
    if (!ordered) {
      announce(FrameHeader.SLOT_BYTES);
    }
    post();
    ring.advance(FrameHeader.SLOT_BYTES);
  }

  @Override
  public boolean renewPositions(long creditPosition, long ackPsn) {
    if (positionsOffset < 0) {
      return false;
    }
    ByteBuffer log = targets.log().memory();
    log.putLong(positionsOffset, creditPosition);
    log.putLong(positionsOffset + Long.BYTES, ackPsn);
    return true;
  }

  @Override
  public boolean report(long creditPosition, long ackPsn) {
    if (posted - completed >= depth - 2) {
      return false;
    }
    int place = scratchPlace();
    ByteBuffer scratch = targets.scratch().memory();
    scratch.putLong(place + ControlWords.CREDIT_OFFSET, creditPosition);
    scratch.putLong(place + ControlWords.ACK_OFFSET, ackPsn);
    request.write(targets.scratch(), place, 2 * Long.BYTES, targets.words(), 0);
    post();
    return true;
  }

  @Override
  public boolean reportSealed(long creditPosition, long ackPsn, long number, long low, long high) {
    if (posted - completed >= depth - 2) {
      return false;
    }
    int place = scratchPlace();
    ControlWords.storeSealed(
        targets.scratch().memory(), place, creditPosition, ackPsn, number, low, high);
    request.write(
        targets.scratch(),
        place,
        ControlWords.SEALED_BYTES,
        targets.words(),
        ControlWords.SEALED_OFFSET);
    post();
    return true;
  }

  private int scratchPlace() {
    return (int) (posted % depth) * PLACE_BYTES;
  }

  /**
   * Signals every eighth request and large ones, which frees the places of earlier requests. A refused request ends
   * the endpoint: the writer respects the queue depth, so the queue is not the cause.
   */
  private void post() {
    bytesPosted += request.lengthBytes;
    bytesUpTo[(int) (posted % depth)] = bytesPosted;
    request.id = posted + 1;
    request.signaled = (posted & 7) == 0
        || posted - completed > depth / 2
        || bytesPosted - bytesPaced >= UNSIGNALED_BYTES;
    if (request.signaled) {
      pace.posted(bytesPosted - bytesPaced);
      bytesPaced = bytesPosted;
    }
    PostResult result = endpoint.post(request);
    if (result == PostResult.QUEUE_FULL) {
      endpoint.fence("send queue refused request " + request.id + " of " + depth);
    }
    posted++;
  }

  @Override
  public void continueIn(RemoteRegion newRing, LocalMemory source) {
    postBatch();
    targets = targets.withRing(newRing);
    if (source != null) {
      targets = targets.withLog(source);
    }
    ring.continueIn(newRing.lengthBytes());
  }

  @Override
  public void postFrom(LocalMemory log) {
    postBatch();
    targets = targets.withLog(log);
  }

  @Override
  public long posted() {
    return posted;
  }

  @Override
  public boolean hasCompleted(long request) {
    return completed >= request;
  }

  @Override
  public void completed(long id) {
    if (id > completed) {
      completed = id;
      // A failed endpoint also reports unsignaled requests.
      long bytes = Math.min(bytesPaced, bytesUpTo[(int) ((id - 1) % depth)]);
      pace.completed(bytes - bytesCompleted);
      bytesCompleted = bytes;
    }
  }
}
