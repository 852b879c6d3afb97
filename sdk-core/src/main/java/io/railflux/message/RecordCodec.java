package io.railflux.message;

import io.railflux.message.layout.RecordField;
import io.railflux.message.layout.RecordLayout;
import io.railflux.message.layout.RecordMembers;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;

/** Records of primitives and of such records, in a fixed layout, through method handles composed once. */
final class RecordCodec<R extends Record> extends FixedCodec<R> {

  private final Class<R> type;
  private final MethodHandle reader;
  private final MethodHandle writer;

  private RecordCodec(String name, Class<R> type, RecordField layout) {
    super(name, layout.lengthBytes());
    this.type = type;
    // invokeExact below is compiled for these types.
    this.reader =
        layout.reader().asType(MethodType.methodType(Record.class, ByteBuffer.class, int.class));
    this.writer = layout
        .writer()
        .asType(MethodType.methodType(void.class, ByteBuffer.class, int.class, Record.class));
  }

  static <R extends Record> RecordCodec<R> of(Class<R> type) {
    RecordField layout = RecordLayout.of(type);
    return new RecordCodec<>(RecordNames.of(type, layout.signature()), type, layout);
  }

  @Override
  public void encode(R value, ByteBuffer slot) {
    int start = slot.position();
    // The upper bound is checked here once; the handles write by absolute index.
    slot.position(start + lengthBytes());
    try {
      writer.invokeExact(slot, start, (Record) value);
    } catch (Throwable e) {
      throw RecordMembers.unchecked(e);
    }
  }

  @Override
  R read(ByteBuffer slot) {
    try {
      return type.cast((Record) reader.invokeExact(slot, slot.position()));
    } catch (Throwable e) {
      throw RecordMembers.unchecked(e);
    }
  }
}
