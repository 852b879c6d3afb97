package io.railflux.engine.ring;

import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.RemoteRegion;
import io.railflux.wire.ControlWords;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Peer's ring mapped into this process: entries are encoded in place and published one by one. */
public final class MappedRingWriter implements RingWriter {

  private ByteBuffer memory;
  private ByteBuffer view;
  private int size;

  // Position of the next entry. The ring learns it on request, not with each message.
  private long position;

  // Position of the first entry of the present ring.
  private long base;

  // Bytes from the next entry on that an encoder may have written without publishing them.
  private int scribbledBytes;

  private final OutgoingRing ring;
  private final ByteBuffer words;
  private long flushed;

  public MappedRingWriter(OutgoingRing ring, ByteBuffer memory, ByteBuffer words) {
    this.ring = ring;
    this.memory = memory;
    this.view = memory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    this.words = words;
    this.size = ring.size();
    this.position = ring.written();
    this.base = ring.base();
  }

  @Override
  public ByteBuffer mapped() {
    return memory;
  }

  @Override
  public ByteBuffer view() {
    return view;
  }

  @Override
  public OutgoingRing ring() {
    ring.written(position);
    return ring;
  }

  @Override
  public int capacityBytes() {
    return size;
  }

  @Override
  public int occupiedBytes() {
    return ring.occupied();
  }

  @Override
  public boolean isReady(int slotBytes, int reserveBytes) {
    return ring().hasRoom(slotBytes, reserveBytes);
  }

  /** Bytes written since the ring began. */
  public long position() {
    return position;
  }

  private int offset() {
    return (int) (position - base) & size - 1;
  }

  /** Always false: written frames have arrived. */
  @Override
  public boolean isCongested() {
    return false;
  }

  @Override
  public int contiguousRoom(int reserveBytes) {
    return Math.min(size - offset(), size - ring().occupied() - reserveBytes);
  }

  @Override
  public int place(int slotBytes) {
    int rest = size - offset();
    if (slotBytes > rest) {
      clearScribbled();
      publishWord(FrameHeader.word(rest, FrameType.PADDING, 0, FrameHeader.BYTES), rest);
    }
    return placeBeforeWrap(slotBytes);
  }

  /** As {@link #place(int)}, for entries known to fit before the wrap. */
  public int placeBeforeWrap(int slotBytes) {
    if (scribbledBytes > 0) {
      clearScribbled();
    }
    scribbledBytes = slotBytes;
    return offset();
  }

  /** Records the slot bytes that the encoder may have written from the entry of the last {@link #place} on. */
  public void scribbled(int slotBytes) {
    scribbledBytes = slotBytes;
  }

  /**
   * Fetches the lines of free slots in parallel. The reader's processor owns them, and sequential writes would wait
   * for each: stores become visible in order, so few can be in flight.
   *
   * @param from offset of a slot
   */
  public void fetch(int from, int bytes) {
    FrameHeader.clearHeads(memory, from, bytes);
  }

  private void clearScribbled() {
    FrameHeader.clearHeads(memory, offset(), scribbledBytes);
    scribbledBytes = 0;
  }

  @Override
  public void publish(ByteBuffer source, int sourceOffset, long word) {
    int slotBytes = FrameHeader.slotBytes(FrameHeader.lengthBytes(word));
    if (source != memory) {
      // A replay: the bytes lie in the log or in the ring of the failed endpoint.
      int target = place(slotBytes);
      int content = FrameHeader.lengthBytes(word) - Long.BYTES;
      memory.put(target + Long.BYTES, source, sourceOffset + Long.BYTES, content);
    }
    publishPlaced(word, slotBytes);
  }

  /**
   * Publishes the entry of the last {@link #place}. Remains of an encoder behind the message must not look like
   * frames. They are cleared before the publication, after which the peer reads there.
   */
  public void publishPlaced(long word, int slotBytes) {
    if (scribbledBytes > slotBytes) {
      FrameHeader.clearHeads(memory, offset() + slotBytes, scribbledBytes - slotBytes);
    }
    scribbledBytes = 0;
    publishWord(word, slotBytes);
  }

  private void publishWord(long word, int slotBytes) {
    FrameHeader.publish(memory, offset(), word);
    position += slotBytes;
  }

  @Override
  public void publishLinkFrame(int type) {
    int target = place(FrameHeader.SLOT_BYTES);
    FrameHeader.put(memory, target, 0, 0, 0);
    publish(memory, target, FrameHeader.word(FrameHeader.BYTES, type, 0, FrameHeader.BYTES));
  }

  @Override
  public boolean report(long creditPosition, long ackPsn) {
    ControlWords.store(words, ControlWords.CREDIT_OFFSET, creditPosition);
    ControlWords.store(words, ControlWords.ACK_OFFSET, ackPsn);
    return true;
  }

  @Override
  public boolean reportSealed(long creditPosition, long ackPsn, long number, long low, long high) {
    ControlWords.storeSealed(
        words, ControlWords.SEALED_OFFSET, creditPosition, ackPsn, number, low, high);
    return true;
  }

  @Override
  public boolean flush() {
    // Entries are published when they are written.
    long writtenBefore = flushed;
    flushed = ring().written();
    return flushed != writtenBefore;
  }

  @Override
  public void continueIn(RemoteRegion newRing, LocalMemory source) {
    memory = newRing.mapped();
    view = memory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    size = newRing.lengthBytes();
    base = position;
    ring().continueIn(size);
  }

  @Override
  public void postFrom(LocalMemory log) {
    // Mapped rings post no requests.
  }

  @Override
  public long posted() {
    return 0;
  }

  @Override
  public boolean hasCompleted(long request) {
    return true;
  }

  @Override
  public void completed(long id) {
    // Mapped rings post no requests.
  }
}
