package io.railflux.buffer;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/**
 * Target of a codec for one message. Usable during {@link #fill} only, so that a codec that keeps it cannot write
 * into memory of another message. Not thread-safe.
 */
public abstract class CodecOutput extends OutputStream {

  /** Writes one message. */
  @FunctionalInterface
  public interface Filler {

    /** Writes the complete message to the target. */
    void writeTo(OutputStream target) throws IOException;
  }

  private boolean ended;
  private RuntimeException refusal;

  /** Creates an empty output. */
  protected CodecOutput() {}

  /**
   * Writes one message.
   *
   * @throws RuntimeException the reason why the output refused bytes, even if the filler caught it; otherwise the
   *     exception of the filler, with an {@link IOException} as {@link UncheckedIOException}
   */
  public final void fill(Filler filler) {
    try {
      filler.writeTo(this);
    } catch (IOException e) {
      throw refusal == null ? new UncheckedIOException(e) : refusal;
    } catch (RuntimeException e) {
      throw refusal == null ? e : refusal;
    } finally {
      ended = true;
    }
    if (refusal != null) {
      throw refusal;
    }
  }

  @Override
  public final void write(int value) {
    requireRoom(1);
    put((byte) value);
  }

  @Override
  public final void write(byte[] source, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, source.length);
    requireRoom(length);
    put(source, offset, length);
  }

  /** No effect: many serializers close their target. */
  @Override
  public final void close() {}

  /** No effect. */
  @Override
  public final void flush() {}

  private void requireRoom(int bytes) {
    if (ended) {
      throw new IllegalStateException("a codec wrote to its target after it had returned");
    }
    refusal = refusal == null ? refusal(bytes) : refusal;
    if (refusal != null) {
      throw refusal;
    }
  }

  /** Returns the reason why so many further bytes cannot be written, or null. */
  protected abstract RuntimeException refusal(int bytes);

  /** Accepts one permitted byte. */
  protected abstract void put(byte value);

  /** Accepts permitted bytes. */
  protected abstract void put(byte[] source, int offset, int length);
}
