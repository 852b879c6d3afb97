package io.railflux.engine;

import io.railflux.wire.ControlWords;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The peer's ring as memory of this process: entries are encoded in place and published one by one. */
final class MappedRingWriter implements RingWriter {

  private final OutgoingRing ring;
  private final ByteBuffer memory;

  // For encoders, which set position and limit; publication goes through memory.
  private final ByteBuffer view;
  private final ByteBuffer words;

  // Bytes from the next entry on that an encoder may have written to without publishing them.
  private int scribbledBytes;

  MappedRingWriter(OutgoingRing ring, ByteBuffer memory, ByteBuffer words) {
    this.ring = ring;
    this.memory = memory;
    this.view = memory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    this.words = words;
  }

  @Override
  public ByteBuffer mapped() {
    return view;
  }

  @Override
  public OutgoingRing ring() {
    return ring;
  }

  @Override
  public boolean isReady(int slotBytes, int reserveBytes) {
    return ring.hasRoom(slotBytes, reserveBytes);
  }

  @Override
  public int place(int slotBytes) {
    clearScribble(0);
    int contiguous = ring.contiguous();
    if (slotBytes > contiguous) {
      long padding = FrameHeader.word(contiguous, FrameType.PADDING, 0, FrameHeader.BYTES);
      FrameHeader.publish(memory, ring.offset(), padding);
      ring.advance(contiguous);
    }
    scribbledBytes = slotBytes;
    return ring.offset();
  }

  /**
   * What an encoder left behind its message, or of one it gave up, must not look like frames. Due
   * before the publication, which makes the peer look there.
   */
  private void clearScribble(int publishedBytes) {
    if (scribbledBytes > publishedBytes) {
      int from = ring.offset() + publishedBytes;
      FrameHeader.clearHeads(memory, from, scribbledBytes - publishedBytes);
    }
    scribbledBytes = 0;
  }

  @Override
  public void publish(ByteBuffer source, int offset, long word) {
    int slotBytes = FrameHeader.slotBytes(FrameHeader.lengthBytes(word));
    if (source != view) {
      // A replay: the bytes lie in the log or in the ring of the endpoint that failed.
      int target = place(slotBytes);
      int content = FrameHeader.lengthBytes(word) - Long.BYTES;
      memory.put(target + Long.BYTES, source, offset + Long.BYTES, content);
    }
    clearScribble(slotBytes);
    FrameHeader.publish(memory, ring.offset(), word);
    ring.advance(slotBytes);
  }

  @Override
  public void publishLinkFrame(int type) {
    int offset = place(FrameHeader.SLOT_BYTES);
    FrameHeader.put(memory, offset, 0, 0, 0);
    publish(view, offset, FrameHeader.word(FrameHeader.BYTES, type, 0, FrameHeader.BYTES));
  }

  @Override
  public boolean tell(long creditPosition, long ackPsn) {
    ControlWords.store(words, ControlWords.CREDIT_OFFSET, creditPosition);
    ControlWords.store(words, ControlWords.ACK_OFFSET, ackPsn);
    return true;
  }

  @Override
  public void flush() {
    // Entries were published as they were written.
  }

  @Override
  public void completed(long id) {
    // Mapped rings post nothing.
  }
}
