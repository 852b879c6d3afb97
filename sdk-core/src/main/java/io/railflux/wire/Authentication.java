package io.railflux.wire;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * How the sender of a {@link Hello} wants to show who it is, and what it wants of the frames.
 *
 * <pre>
 *      0        1         2           4
 *     +--------+---------+-----------+-------------+
 *   0 | method | sealing | ciphers   | 0           |
 *   8 | int64 keyId                                |  which secret; 0 without one
 *  16 | nonce                                      |  32 bytes
 *  48 | publicKey                                  |  32 bytes, X25519
 *  80 | proof                                      |  32 bytes, over the message with zeros here
 *     +--------------------------------------------+
 * 112
 * </pre>
 *
 * Without a secret everything from the keyId on is zero.
 *
 * @param method one of {@link #NONE} and {@link #SECRET}; others are kept as they are
 * @param sealing one of {@link #NEVER}, {@link #MAY}, {@link #MUST}; an answer tells what was decided:
 *     never or must
 * @param ciphers bits of those the sender can; an answer has the one that was chosen
 * @param proof HMAC-SHA256, see {@code docs/wire-protocol.md}
 */
public record Authentication(
    int method,
    int sealing,
    int ciphers,
    long keyId,
    Bits256 nonce,
    Bits256 publicKey,
    Bits256 proof) {
  /** Whoever the fabric lets through is welcome. */
  public static final int NONE = 0;

  /** A shared secret and an ephemeral X25519 key on each side. */
  public static final int SECRET = 1;

  /** Frames are not sealed. */
  public static final int NEVER = 0;

  /** Frames are sealed if the peer wants it. */
  public static final int MAY = 1;

  /** Frames are sealed, or there is no connection. */
  public static final int MUST = 2;

  static final int BYTES = 112;
  private static final int PROOF_OFFSET = 80;

  /** Nothing shown and nothing sealed. */
  public static final Authentication NOTHING =
      new Authentication(NONE, NEVER, 0, 0, Bits256.ZERO, Bits256.ZERO, Bits256.ZERO);

  /** Checks the ranges. */
  public Authentication {
    Fields.requireUnsigned("method", method, 0xFF);
    Fields.requireUnsigned("sealing", sealing, MUST);
    Fields.requireUnsigned("ciphers", ciphers, 0xFFFF);
    Objects.requireNonNull(nonce, "nonce");
    Objects.requireNonNull(publicKey, "publicKey");
    Objects.requireNonNull(proof, "proof");
  }

  /** Where the proof is in a HELLO that starts at 0. */
  public static int proofOffset() {
    return Hello.FIXED_BYTES - BYTES + PROOF_OFFSET;
  }

  /** Where what is decided about sealing is in a HELLO that starts at 0. */
  public static int sealingOffset() {
    return Hello.FIXED_BYTES - BYTES + 1;
  }

  void encode(ByteBuffer target) {
    Fields.putByte(target, method);
    Fields.putByte(target, sealing);
    Fields.putShort(target, ciphers);
    Fields.putInt(target, 0);
    Fields.putLong(target, keyId);
    nonce.encode(target);
    publicKey.encode(target);
    proof.encode(target);
  }

  static Authentication decode(ByteBuffer source) throws MalformedFrameException {
    int method = Fields.unsignedByte(source);
    int sealing = Fields.unsignedByte(source);
    int ciphers = Fields.unsignedShort(source);
    Fields.getInt(source);
    long keyId = Fields.getLong(source);
    Bits256 nonce = Bits256.decode(source);
    Bits256 publicKey = Bits256.decode(source);
    return new Authentication(
        method, sealing, ciphers, keyId, nonce, publicKey, Bits256.decode(source));
  }
}
