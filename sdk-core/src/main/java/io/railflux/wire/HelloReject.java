package io.railflux.wire;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Answer to a {@link Hello} or a {@link Proof} that cannot be accepted.
 *
 * <pre>
 *  0       4      5          6            8            10       12
 * +-------+------+----------+------------+------------+--------+--------------+-------+
 * | magic | 2    | reserved | versionMin | versionMax | reason | string text  | proof |
 * +-------+------+----------+------------+------------+--------+--------------+-------+
 * </pre>
 *
 * The proof is zero where none was agreed on, or it is too early for one; a message that ends before it
 * has none. Bytes after it are ignored. A reason this version does not know is kept as it is. A null text
 * becomes empty, each control character in one a space; one longer than 1024 bytes is cut when encoded.
 */
public record HelloReject(Versions versions, int reason, String text, Bits256 proof) {
  /** No version in common. */
  public static final int VERSION = 1;

  /** The expected incarnation is gone: this node was restarted. */
  public static final int UNKNOWN_SESSION = 2;

  /** The message could not be read. */
  public static final int MALFORMED = 3;

  /** The node is closing. */
  public static final int CLOSING = 4;

  /** The node's limit of peers is reached. */
  public static final int TOO_MANY_PEERS = 5;

  /** The peer did not show that it may come in, or wants to be shown what this node cannot. */
  public static final int AUTHENTICATION = 6;

  /** One side wants frames sealed and the other does not, or they have no cipher in common. */
  public static final int SEALING = 7;

  private static final int FIXED_BYTES = 12;

  /** Checks that the reason fits 16 bits. */
  public HelloReject {
    Objects.requireNonNull(versions, "versions");
    Fields.requireUnsigned("reason", reason, 0xFFFF);
    Objects.requireNonNull(proof, "proof");
    text = Strings.text(text);
  }

  /** Without proof. */
  public HelloReject(Versions versions, int reason, String text) {
    this(versions, reason, text, Bits256.ZERO);
  }

  /** With a proof. */
  public HelloReject withProof(Bits256 newProof) {
    return new HelloReject(versions, reason, text, newProof);
  }

  /** Size of the encoded message. */
  public int encodedBytes() {
    return FIXED_BYTES + Strings.encodedBytes(text, Strings.MAX_TEXT_BYTES) + Bits256.BYTES;
  }

  /** Writes the message at the position. */
  public void encode(ByteBuffer target) {
    Handshake.putStart(target, Handshake.HELLO_REJECT, versions);
    Fields.putShort(target, reason);
    Strings.encode(target, text, Strings.MAX_TEXT_BYTES);
    proof.encode(target);
  }

  /** Reads the message between position and limit. */
  public static HelloReject decode(ByteBuffer source) throws MalformedFrameException {
    Versions versions = Handshake.takeStart(source, Handshake.HELLO_REJECT);
    int reason = Fields.unsignedShort(source);
    String text = Strings.decode(source, Strings.MAX_TEXT_BYTES);
    boolean proven = source.remaining() >= Bits256.BYTES;
    return new HelloReject(versions, reason, text, proven ? Bits256.decode(source) : Bits256.ZERO);
  }
}
