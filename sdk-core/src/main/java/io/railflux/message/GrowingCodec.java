package io.railflux.message;

import io.railflux.buffer.MeasuringOutput;
import io.railflux.buffer.SlotOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * A codec that learns the size of an encoding only by writing it, as serializers of JSON, Protobuf or Avro do. It
 * writes to a stream instead of stating a bound.
 *
 * <p>A message of up to 256 KiB is written once, into memory of the engine thread, and copied to the memory that is
 * sent. A longer message, or a message that waits for room, is written again into that memory, so that no memory
 * outside the budgets of the node holds it. The encoding of a value must therefore be the same each time, and the
 * value must not change until it is sent.
 *
 * <p>The rules of {@link Codec} apply: all methods run on the engine thread and must not block, and an exception
 * fails only the stream or request concerned. {@link Codecs#growing} creates a codec from two functions.
 *
 * @param <T> type of the values
 */
public interface GrowingCodec<T> extends Codec<T> {

  /**
   * Writes a value.
   *
   * @param <T> type of the value
   */
  @FunctionalInterface
  interface ValueWriter<T> {

    /**
     * Writes a value, see {@link GrowingCodec#write}.
     *
     * @param value the value to write
     * @param target receives the bytes of the message
     * @throws IOException fails the stream
     */
    void write(T value, OutputStream target) throws IOException;
  }

  /**
   * Reads a value.
   *
   * @param <T> type of the value
   */
  @FunctionalInterface
  interface ValueReader<T> {

    /**
     * Reads a value from untrusted bytes of the peer.
     *
     * @param source the whole message; valid during the call only
     * @return the value, not null
     * @throws IOException if the bytes are malformed; fails the stream
     */
    T read(InputStream source) throws IOException;
  }

  /**
   * Writes a value. May be called twice for one message.
   *
   * @param value the value to write
   * @param target receives the bytes of the message; closing it has no effect. It must not be kept: it refuses writes
   *     after the call. It also refuses bytes beyond {@code maxMessageBytes}, with a {@link
   *     io.railflux.exceptions.MessageTooLargeException} that fails the stream even if this method catches it
   * @throws IOException fails the stream, like any other exception
   */
  void write(T value, OutputStream target) throws IOException;

  /** Counts the bytes of a value by writing it. Pipelines of a node do not call this method for each message. */
  @Override
  default int maxEncodedBytes(T value) {
    MeasuringOutput measured = new MeasuringOutput(Integer.MAX_VALUE);
    measured.fill(target -> write(value, target));
    return measured.bytes();
  }

  @Override
  default void encode(T value, ByteBuffer slot) {
    new SlotOutput(slot).fill(target -> write(value, target));
  }
}
