package io.railflux.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names of record codecs, which describe the layout completely because both sides compare them. */
final class RecordNames {

  private static final int MAX_BYTES = 255;
  private static final int HASH_BYTES = 8;

  private RecordNames() {}

  /** Returns {@code record:Trade(…)}; a long name ends with a hash. */
  static String of(Class<?> type, String signature) {
    String name = "record:" + type.getSimpleName() + signature;
    byte[] bytes = name.getBytes(UTF_8);
    if (bytes.length <= MAX_BYTES) {
      return name;
    }
    String hash = "#" + HexFormat.of().formatHex(sha256(bytes), 0, HASH_BYTES);
    return beginning(bytes, MAX_BYTES - hash.length()) + hash;
  }

  /** Returns a prefix of at most so many bytes, without cutting a character. */
  private static String beginning(byte[] text, int maxBytes) {
    CharsetDecoder decoder = UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT);
    CharBuffer chars = CharBuffer.allocate(maxBytes);
    // A cut character stays undecoded, because more bytes could follow.
    decoder.decode(ByteBuffer.wrap(text, 0, maxBytes), chars, false);
    return chars.flip().toString();
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
