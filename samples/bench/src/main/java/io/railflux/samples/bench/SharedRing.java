package io.railflux.samples.bench;

import io.railflux.buffer.MappedMemory;
import io.railflux.message.Codec;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import io.railflux.wire.ReceivedFrame;
import io.railflux.wire.Violation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * A file of shared memory that is mapped twice, as by two processes. Executes the steps by which the engine writes and
 * reads a ring, without streams, demand and credit. Single-threaded.
 */
final class SharedRing implements AutoCloseable {

  private static final int BYTES = 1 << 20;

  private final MappedMemory near;
  private final MappedMemory far;
  private final ByteBuffer slot;
  private final ByteBuffer message;
  private final ReceivedFrame frame = new ReceivedFrame();
  private long written;
  private long consumed;

  private SharedRing(MappedMemory near, MappedMemory far) {
    this.near = near;
    this.far = far;
    this.slot = near.memory().duplicate().order(ByteOrder.LITTLE_ENDIAN);
    this.message = far.memory().duplicate().order(ByteOrder.LITTLE_ENDIAN);
  }

  static SharedRing create() throws IOException {
    String name = "railflux-bench-" + ProcessHandle.current().pid();
    MappedMemory near = MappedMemory.create(Path.of("/dev/shm", name), BYTES);
    try {
      return new SharedRing(near, MappedMemory.open(near.path(), BYTES));
    } finally {
      near.unlink();
    }
  }

  /** Claims a slot, encodes in place and publishes. The reader must be less than a ring behind. */
  <T> void write(Codec<T> codec, T value) {
    int most = codec.maxEncodedBytes(value);
    int offset = place(FrameHeader.slotBytes(FrameHeader.BYTES + most));
    int body = offset + FrameHeader.BYTES;
    slot.limit(body + most).position(body);
    codec.encode(value, slot);
    int length = slot.position() - offset;
    FrameHeader.put(near.memory(), offset, written, 1, written);
    publish(offset, length, FrameType.DATA);
  }

  private int place(int slotBytes) {
    int offset = (int) written & BYTES - 1;
    int contiguous = BYTES - offset;
    if (slotBytes <= contiguous) {
      return offset;
    }
    publish(offset, contiguous, FrameType.PADDING);
    return 0;
  }

  private void publish(int offset, int length, int type) {
    FrameHeader.publish(
        near.memory(), offset, FrameHeader.word(length, type, 0, FrameHeader.BYTES));
    written += FrameHeader.slotBytes(length);
  }

  /** Polls, validates, decodes and clears a frame, which must exist. */
  <T> T read(Codec<T> codec) {
    int offset = (int) consumed & BYTES - 1;
    long word = FrameHeader.peek(far.memory(), offset);
    Violation wrong = frame.read(message.clear(), offset, word, BYTES - offset);
    if (wrong != null) {
      throw new IllegalStateException(wrong.text());
    }
    if (frame.type() == FrameType.PADDING) {
      release(offset);
      return read(codec);
    }
    int body = frame.bodyOffset();
    message.limit(body + frame.bodyBytes()).position(body);
    T value = codec.decode(message);
    release(offset);
    return value;
  }

  private void release(int offset) {
    int slotBytes = FrameHeader.slotBytes(frame.lengthBytes());
    FrameHeader.clearHeads(far.memory(), offset, slotBytes);
    consumed += slotBytes;
  }

  @Override
  public void close() {
    near.close();
    far.close();
  }
}
