package io.railflux.message;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/** A codec of two functions over byte streams. */
final class IoCodec<T> implements GrowingCodec<T> {

  private final String name;
  private final ValueWriter<? super T> writer;
  private final ValueReader<? extends T> reader;

  IoCodec(String name, ValueWriter<? super T> writer, ValueReader<? extends T> reader) {
    this.name = FixedCodec.requireName(name);
    this.writer = Objects.requireNonNull(writer, "writer");
    this.reader = Objects.requireNonNull(reader, "reader");
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void write(T value, OutputStream target) throws IOException {
    writer.write(value, target);
  }

  @Override
  public T decode(ByteBuffer slot) {
    int bytes = slot.remaining();
    SlotInput source = new SlotInput(slot);
    try {
      return reader.read(source);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "codec " + name + ": a message of " + bytes + " bytes cannot be read: " + e.getMessage(),
          e);
    } finally {
      source.end();
    }
  }

  @Override
  public String toString() {
    return "Codec[" + name + "]";
  }
}
