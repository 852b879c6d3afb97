package io.railflux.message;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the values of a stream into the memory that is sent, and decodes them.
 *
 * <p>All methods run on the engine thread and must not block. A codec may serve several streams and nodes, so it must
 * not keep state that two threads could share. An exception of any method fails the stream or request concerned and
 * nothing else.
 *
 * @param <T> type of the values
 */
public interface Codec<T> {

  /**
   * Returns the identity of the encoding. Both sides of a stream must use the same name, so the name changes with the
   * layout. Every request calls this method; it should return a constant.
   *
   * @return 1 to 255 bytes of UTF-8 without control characters
   */
  String name();

  /**
   * Returns an upper bound for the encoded size of a value. Called once before {@link #encode}; must be cheap. A
   * tight bound saves room in the ring. The engine compares the bound with the message limit. A {@link GrowingCodec}
   * states no bound.
   *
   * @param value the value to encode
   * @return size in bytes, at least the encoded size
   */
  int maxEncodedBytes(T value);

  /**
   * Writes a value from the position of {@code slot} on. The bytes between the initial and the final position are the
   * message.
   *
   * @param value the value to encode
   * @param slot little-endian; its limit is {@link #maxEncodedBytes} behind its position. The slot belongs to the
   *     engine: do not keep it after the call, and do not change its limit or byte order
   */
  void encode(T value, ByteBuffer slot);

  /**
   * Returns the encoded bytes of a value that lies in memory already. Where the fabric permits it, a large message is
   * sent from these bytes without a copy. The default returns null.
   *
   * @param value the value to send
   * @return the bytes between position and limit, in a direct buffer to be useful on every fabric; they are lent and
   *     must not change until the message is acknowledged. Null to have {@link #encode} called
   */
  default @Nullable ByteBuffer inPlace(T value) {
    return null;
  }

  /**
   * Reads a value from untrusted bytes of the peer.
   *
   * @param slot little-endian; the message is between position and limit. Valid during the call only; a {@link
   *     Flyweight} may refer to it until {@code onNext} returns. The final position is ignored
   * @return the value, not null
   */
  T decode(ByteBuffer slot);
}
