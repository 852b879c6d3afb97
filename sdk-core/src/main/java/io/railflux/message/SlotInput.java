package io.railflux.message;

import java.io.InputStream;
import java.nio.ByteBuffer;

/** The bytes of one message. Usable until {@link #end}, when the memory belongs to another message. */
final class SlotInput extends InputStream {

  private static final int END = -1;
  private static final int BYTE_MASK = 0xFF;

  private ByteBuffer slot;

  SlotInput(ByteBuffer slot) {
    this.slot = slot;
  }

  void end() {
    slot = null;
  }

  @Override
  public int read() {
    return available() == 0 ? END : slot.get() & BYTE_MASK;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    int bytes = Math.min(length, available());
    if (bytes == 0 && length > 0) {
      return END;
    }
    slot.get(target, offset, bytes);
    return bytes;
  }

  @Override
  public long skip(long count) {
    int bytes = (int) Math.max(0, Math.min(count, available()));
    slot.position(slot.position() + bytes);
    return bytes;
  }

  @Override
  public int available() {
    if (slot == null) {
      throw new IllegalStateException("a codec read its source after it had returned");
    }
    return slot.remaining();
  }
}
