package io.railflux.pipeline;

import io.railflux.buffer.MeasuringOutput;
import io.railflux.message.Codec;
import io.railflux.message.GrowingCodec;
import java.nio.ByteBuffer;

/**
 * Adapts a {@link GrowingCodec} to a codec that states sizes. Measuring writes a value to memory of the thread;
 * encoding it next copies that memory, which covers most messages. A message that is too long for the memory, or was
 * displaced by another one while it waited, is written again; meanwhile only its size is kept. One instance per
 * stream or request; engine thread only.
 */
final class MeasuredCodec<T> implements Codec<T> {

  /** Default eager limit within a host. */
  static final int MAX_KEPT_BYTES = 256 << 10;

  /** Last measurement of one thread. */
  private static final class Scratch {

    private byte[] memory = new byte[0];
    private int bytes;
    private long measurements;
    /** A codec is writing into it; messages that it sends meanwhile are measured elsewhere. */
    private boolean writing;
  }

  private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

  private final GrowingCodec<T> codec;
  private final int maxBytes;

  /** Value that was measured and is not encoded yet; null without any. */
  private T measured;

  private int measuredBytes;
  /** Number of the measurement whose bytes are kept; 0 once another one followed. */
  private long measurement;

  private MeasuredCodec(GrowingCodec<T> codec, int maxBytes) {
    this.codec = codec;
    this.maxBytes = maxBytes;
  }

  /** Returns the codec itself if it states sizes. */
  static <T> Codec<T> of(Codec<T> codec, int maxBytes) {
    return codec instanceof GrowingCodec<T> growing
        ? new MeasuredCodec<>(growing, maxBytes)
        : codec;
  }

  /** The last measured value will not be encoded. */
  static void forget(Codec<?> codec) {
    if (codec instanceof MeasuredCodec<?> growing) {
      growing.measured = null;
    }
  }

  @Override
  public String name() {
    return codec.name();
  }

  @Override
  public int maxEncodedBytes(T value) {
    if (value != measured) {
      measured = null;
      Scratch scratch = SCRATCH.get();
      measuredBytes = scratch.writing ? count(value) : measure(value, scratch);
      measured = value;
    }
    return measuredBytes;
  }

  private int count(T value) {
    MeasuringOutput output = new MeasuringOutput(maxBytes);
    output.fill(target -> codec.write(value, target));
    measurement = 0;
    return output.bytes();
  }

  private int measure(T value, Scratch scratch) {
    MeasuringOutput output = new MeasuringOutput(scratch.memory, MAX_KEPT_BYTES, maxBytes);
    scratch.measurements++;
    scratch.writing = true;
    try {
      output.fill(target -> codec.write(value, target));
    } finally {
      scratch.writing = false;
      scratch.memory = output.memory();
    }
    scratch.bytes = output.bytes();
    measurement = output.isKept() ? scratch.measurements : 0;
    return output.bytes();
  }

  @Override
  public void encode(T value, ByteBuffer slot) {
    boolean known = value == measured && measurement != 0;
    measured = null;
    Scratch scratch = SCRATCH.get();
    if (known && measurement == scratch.measurements && !scratch.writing) {
      slot.put(scratch.memory, 0, scratch.bytes);
    } else {
      codec.encode(value, slot);
    }
  }

  @Override
  public T decode(ByteBuffer slot) {
    return codec.decode(slot);
  }
}
