package io.railflux.message;

import java.nio.ByteBuffer;

/**
 * A typed view over bytes that lie elsewhere, for streams that neither copy nor allocate per
 * message. Sent, it names the bytes to copy, which must not change before they were encoded: a
 * synchronous source is asked for the next value only then and may use one instance for all, what
 * other sources emit may wait. Received, one instance is wrapped over each message in turn and is
 * valid only until {@code onNext} returns.
 *
 * @see Codecs#flyweight
 */
public interface Flyweight {

  /**
   * Points this view at other bytes. Called on the engine thread before each {@code onNext}.
   *
   * @param slot little-endian memory of the engine; read it by absolute index only and leave its
   *     position, limit and order alone
   * @param offset index of the message's first byte in {@code slot}
   * @param lengthBytes length of the message in bytes
   */
  void wrap(ByteBuffer slot, int offset, int lengthBytes);

  /** The buffer this view reads from. */
  ByteBuffer buffer();

  /** Index of the first byte of this view in {@link #buffer()}. */
  int offset();

  /** Length of this view in bytes. */
  int encodedLength();
}
