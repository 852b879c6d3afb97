package io.railflux.message;

import io.railflux.message.layout.RecordShape;
import io.railflux.message.layout.ShapeComposer;
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/** Records of variable length. */
final class VariableRecordCodec<R extends Record> implements Codec<R> {

  private final String name;
  private final Class<R> type;
  private final RecordShape shape;

  private VariableRecordCodec(String name, Class<R> type, RecordShape shape) {
    this.name = name;
    this.type = type;
    this.shape = shape;
  }

  static <R extends Record> VariableRecordCodec<R> of(Class<R> type) {
    RecordShape shape = ShapeComposer.compose(type);
    return new VariableRecordCodec<>(RecordNames.of(type, shape.signature()), type, shape);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int maxEncodedBytes(R value) {
    try {
      // Larger sizes exceed every message limit.
      return (int) Math.min(Integer.MAX_VALUE, shape.sizeBytes(value, 0));
    } catch (StackOverflowError e) {
      throw tooDeep(e);
    }
  }

  @Override
  public void encode(R value, ByteBuffer slot) {
    try {
      shape.write(slot, 0, value);
    } catch (BufferOverflowException e) {
      throw new IllegalStateException(
          "codec " + name + ": a list, set, map or array grew while the record was sent", e);
    } catch (StackOverflowError e) {
      throw tooDeep(e);
    }
  }

  @Override
  public R decode(ByteBuffer slot) {
    int bytes = slot.remaining();
    R value;
    try {
      value = type.cast(shape.read(slot, 0));
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException(
          "codec " + name + ": a message of " + bytes + " bytes ends within the record", e);
    } catch (StackOverflowError e) {
      throw tooDeep(e);
    }
    if (slot.hasRemaining()) {
      throw new IllegalArgumentException("codec " + name + ": a message of " + bytes + " bytes has "
          + slot.remaining() + " behind the record");
    }
    return value;
  }

  /** The codec has no state, so an abandoned record leaves nothing behind. */
  private IllegalArgumentException tooDeep(StackOverflowError e) {
    return new IllegalArgumentException(
        "codec " + name + ": records within records exceed the stack of this thread", e);
  }

  @Override
  public String toString() {
    return "Codec[" + name + "]";
  }
}
