package io.railflux.message;

import java.nio.ByteBuffer;

/**
 * A typed view over bytes in other memory, for streams that neither copy nor allocate per message.
 *
 * <p>A sent view must not change until it is encoded. A synchronous source emits the next value only then, so it may
 * emit the same instance repeatedly; values of other sources may wait. A received view is one instance, wrapped over
 * each message in turn and valid until {@code onNext} returns.
 *
 * @see Codecs#flyweight
 */
public interface Flyweight {

  /**
   * Points the view at other bytes. The engine thread calls it before each {@code onNext}.
   *
   * @param slot little-endian memory of the engine; read it by absolute index, and leave position, limit and order
   *     unchanged
   * @param offset index of the first byte of the message in {@code slot}
   * @param lengthBytes length of the message in bytes
   */
  void wrap(ByteBuffer slot, int offset, int lengthBytes);

  /**
   * Returns the buffer that the view reads.
   *
   * @return the buffer passed to {@link #wrap}
   */
  ByteBuffer buffer();

  /**
   * Returns the start of the view.
   *
   * @return index of its first byte in {@link #buffer()}
   */
  int offset();

  /**
   * Returns the length of the view.
   *
   * @return length in bytes
   */
  int encodedLength();
}
