package io.railflux.buffer;

import java.nio.ByteBuffer;

/** Writes into a buffer with a fixed limit. */
public final class SlotOutput extends CodecOutput {

  private final ByteBuffer slot;
  private final int roomBytes;

  /** Creates an output from the position of the slot to its limit. */
  public SlotOutput(ByteBuffer slot) {
    this.slot = slot;
    this.roomBytes = slot.remaining();
  }

  @Override
  protected RuntimeException refusal(int bytes) {
    return bytes <= slot.remaining()
        ? null
        : new IllegalStateException(
            "the codec wrote " + roomBytes
                + " bytes when the value was measured and writes more now;"
                + " a value must not change while it is sent, and must encode to the same bytes each time");
  }

  @Override
  protected void put(byte value) {
    slot.put(value);
  }

  @Override
  protected void put(byte[] source, int offset, int length) {
    slot.put(source, offset, length);
  }
}
