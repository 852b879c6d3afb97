package io.railflux.wire.handshake;

import io.railflux.wire.Fields;
import io.railflux.wire.MalformedFrameException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Authentication and sealing in a {@link Hello}.
 *
 * <pre>
 *      0        1         2           4
 *     +--------+---------+-----------+-------------+
 *   0 | method | sealing | ciphers   | 0           |
 *   8 | int64 keyId                                |  identifies the secret; 0 without one
 *  16 | nonce                                      |  32 bytes
 *  48 | publicKey                                  |  32 bytes, X25519
 *  80 | proof                                      |  32 bytes, over the message with a zero proof
 *     +--------------------------------------------+
 * 112
 * </pre>
 *
 * <p>Without a secret all fields from the keyId on are zero.
 *
 * @param method one of {@link #NONE} and {@link #SECRET}; other values are kept
 * @param sealing one of {@link #NEVER}, {@link #MAY}, {@link #MUST}; a reply contains the decision: never or must
 * @param ciphers bits of the supported ciphers; a reply contains the chosen one
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
  /** Accepts every peer that the fabric accepts. */
  public static final int NONE = 0;

  /** A shared secret and an ephemeral X25519 key on each side. */
  public static final int SECRET = 1;

  /** Frames are not sealed. */
  public static final int NEVER = 0;

  /** Frames are sealed on request of the peer. */
  public static final int MAY = 1;

  /** Frames are sealed, or the connection is refused. */
  public static final int MUST = 2;

  static final int BYTES = 112;
  private static final int PROOF_OFFSET = 80;

  /** No authentication and no sealing. */
  public static final Authentication NOTHING =
      new Authentication(NONE, NEVER, 0, 0, Bits256.ZERO, Bits256.ZERO, Bits256.ZERO);

  /** Validates the ranges. */
  public Authentication {
    Fields.requireUnsigned("method", method, 0xFF);
    Fields.requireUnsigned("sealing", sealing, MUST);
    Fields.requireUnsigned("ciphers", ciphers, 0xFFFF);
    Objects.requireNonNull(nonce, "nonce");
    Objects.requireNonNull(publicKey, "publicKey");
    Objects.requireNonNull(proof, "proof");
  }

  /** Returns the offset of the proof in a HELLO that starts at 0. */
  public static int proofOffset() {
    return Hello.FIXED_BYTES - BYTES + PROOF_OFFSET;
  }

  /** Returns the offset of the sealing decision in a HELLO that starts at 0. */
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
