package io.railflux.wire.handshake;

import io.railflux.wire.Fields;
import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.Strings;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Refusal of a {@link Hello} or a {@link Proof}.
 *
 * <pre>
 *  0       4      5          6            8            10       12
 * +-------+------+----------+------------+------------+--------+--------------+-------+
 * | magic | 2    | reserved | versionMin | versionMax | reason | string text  | proof |
 * +-------+------+----------+------------+------------+--------+--------------+-------+
 * </pre>
 *
 * <p>The proof is zero without a secret, and before the key agreement; a message may end before it. Bytes after it
 * are ignored. An unknown reason is kept. A null text becomes empty, control characters become spaces, and texts
 * longer than 1024 bytes are cut.
 */
public record HelloReject(Versions versions, int reason, String text, Bits256 proof) {
  /** No version in common. */
  public static final int VERSION = 1;

  /** The expected incarnation has ended: this node was restarted. */
  public static final int UNKNOWN_SESSION = 2;

  /** The message is malformed. */
  public static final int MALFORMED = 3;

  /** The node is closing. */
  public static final int CLOSING = 4;

  /** The limit of peers is reached. */
  public static final int TOO_MANY_PEERS = 5;

  /** The peer failed to authenticate, or requires a proof that this node cannot give. */
  public static final int AUTHENTICATION = 6;

  /** One side requires sealed frames and the other refuses, or both have no cipher in common. */
  public static final int SEALING = 7;

  /** The node currently has no memory or file descriptor for the connection. */
  public static final int EXHAUSTED = 8;

  private static final int FIXED_BYTES = 12;

  /** The reason must fit 16 bits. */
  public HelloReject {
    Objects.requireNonNull(versions, "versions");
    Fields.requireUnsigned("reason", reason, 0xFFFF);
    Objects.requireNonNull(proof, "proof");
    text = Strings.text(text);
  }

  /** Creates a refusal without proof. */
  public HelloReject(Versions versions, int reason, String text) {
    this(versions, reason, text, Bits256.ZERO);
  }

  /** Returns a copy with a proof. */
  public HelloReject withProof(Bits256 newProof) {
    return new HelloReject(versions, reason, text, newProof);
  }

  /** Size of the encoded message. */
  public int encodedBytes() {
    return FIXED_BYTES + Strings.encodedBytes(text, Strings.MAX_TEXT_BYTES) + Bits256.BYTES;
  }

  /** Writes the message at the position. */
  public void encode(ByteBuffer target) {
    HandshakeHeader.putStart(target, HandshakeHeader.HELLO_REJECT, versions);
    Fields.putShort(target, reason);
    Strings.encode(target, text, Strings.MAX_TEXT_BYTES);
    proof.encode(target);
  }

  /** Reads the message between position and limit. */
  public static HelloReject decode(ByteBuffer source) throws MalformedFrameException {
    Versions versions = HandshakeHeader.takeStart(source, HandshakeHeader.HELLO_REJECT);
    int reason = Fields.unsignedShort(source);
    String text = Strings.decode(source, Strings.MAX_TEXT_BYTES);
    boolean proven = source.remaining() >= Bits256.BYTES;
    return new HelloReject(versions, reason, text, proven ? Bits256.decode(source) : Bits256.ZERO);
  }
}
