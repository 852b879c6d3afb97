package io.railflux.message;

import java.nio.ByteBuffer;

/**
 * Turns the values of a stream into bytes and back, directly in the memory that is sent.
 *
 * <p>Both methods run on the engine thread and must not block. One codec may serve several streams
 * and several engines, so it keeps no state between calls that two threads could meet in. An
 * exception from any method fails the stream concerned and nothing else.
 *
 * @param <T> the type of the stream's values
 */
public interface Codec<T> {

  /**
   * The identity of the encoding. Both sides of a stream must name the same when it is opened, so
   * it should change whenever the layout does. At most 255 bytes of UTF-8 without control characters.
   * Each request asks for it: a constant costs nothing, a string put together anew does.
   */
  String name();

  /**
   * An upper bound, in bytes, for the encoding of this value. Called once before {@link #encode};
   * must be cheap. A bound close to the truth saves room in the ring, and it is what the limit of a
   * message's size is compared with.
   */
  int maxEncodedBytes(T value);

  /**
   * Writes the value.
   *
   * @param slot little-endian; its position is the start of the claimed entry and its limit is
   *     {@link #maxEncodedBytes} after that. Write from the position on; what lies between the
   *     start and the position afterwards is the message. The slot belongs to the engine: it must
   *     not be kept after the call, and its limit and byte order must not be changed.
   */
  void encode(T value, ByteBuffer slot);

  /**
   * The value as it is sent, for one that lies in memory encoded already: a large message is sent from
   * there instead of being copied first, where the network can do that. The default knows no such value.
   *
   * @return its bytes between position and limit, a direct buffer if it is to be of use on all networks.
   *     They must not change until the message is acknowledged. Null: {@link #encode} is asked
   */
  default ByteBuffer inPlace(T value) {
    return null;
  }

  /**
   * Reads one value.
   *
   * @param slot little-endian; everything from position to limit is the message, as the peer sent
   *     it, so expect any bytes. Whether the position moves is of no matter. The slot is valid only
   *     during the call: copy what the value needs. Only a {@link Flyweight} may refer to it
   *     longer, until {@code onNext} returns.
   */
  T decode(ByteBuffer slot);
}
