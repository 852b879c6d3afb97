package io.railflux.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.message.Headers;
import io.railflux.wire.ReceivedFrame;
import java.nio.ByteBuffer;
import java.util.Map;

/**
 * Decodes arbitrary bytes as the metadata of a message: headers and context, or a rejection. Accepted metadata can be
 * sent again, and the frame remains readable.
 */
final class HostileMetadata {

  private HostileMetadata() {}

  static void decode(byte[] bytes) {
    ReceivedFrame frame = Frames.of(7, ByteBuffer.wrap(bytes), 0);
    Metadatas.Decoded decoded = null;
    try {
      decoded = Metadatas.decode(frame);
    } catch (IllegalArgumentException refused) {
      assertFalse(refused.getMessage().isBlank());
    }
    assertEquals(7, frame.body().getInt(frame.bodyOffset()));
    if (decoded != null) {
      assertTrue(decoded.headers().encodedBytes() <= Headers.MAX_ENCODED_BYTES);
      assertKept(decoded.headers(), decoded.context());
    }
  }

  private static void assertKept(Headers headers, Map<String, String> context) {
    ByteBuffer encoded;
    try {
      encoded = Metadatas.encode(headers, context);
    } catch (IllegalArgumentException tooLong) {
      // The replacement of each malformed byte has three bytes.
      return;
    }
    Metadatas.Decoded again = Metadatas.decode(Frames.of(7, encoded, 0));
    assertEquals(headers, again.headers());
    assertEquals(context, again.context());
  }
}
