package io.railflux.wire.handshake;

import io.railflux.wire.Fields;
import io.railflux.wire.MalformedFrameException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * Second message of each side: proves that the side took part in the exchange of HELLOs, and carries its {@link
 * Grant}. The connecting side sends {@link HandshakeHeader#PROOF}, the accepting side {@link
 * HandshakeHeader#JOINED}.
 *
 * <pre>
 *  0       4        5          6            8            10             12      44
 * +-------+--------+----------+------------+------------+--------------+-------+---------+
 * | magic | 3 or 4 | reserved | versionMin | versionMax | payloadBytes | proof | payload |
 * +-------+--------+----------+------------+------------+--------------+-------+---------+
 * </pre>
 *
 * <p>With a secret the payload is sealed and 16 bytes longer. Without a secret it is the plain Grant, and the
 * proof is zero. Bytes after it are ignored.
 */
public final class Proof {
  private static final int MAX_PAYLOAD_BYTES = 1024;

  private final int type;
  private final Bits256 proof;
  private final byte[] payload;

  /** @param payload not copied */
  public Proof(int type, Bits256 proof, byte[] payload) {
    if (type != HandshakeHeader.PROOF && type != HandshakeHeader.JOINED) {
      throw new IllegalArgumentException("type " + type);
    }
    Fields.requireUnsigned("payloadBytes", payload.length, MAX_PAYLOAD_BYTES);
    this.type = type;
    this.proof = Objects.requireNonNull(proof, "proof");
    this.payload = payload;
  }

  /** {@link HandshakeHeader#PROOF} or {@link HandshakeHeader#JOINED}. */
  public int type() {
    return type;
  }

  /** HMAC-SHA256 over the HELLOs, zero without a secret. */
  public Bits256 proof() {
    return proof;
  }

  /** Returns the Grant, sealed with a secret; not a copy. */
  public byte[] payload() {
    return payload;
  }

  /** Writes the message at the position. */
  public void encode(ByteBuffer target) {
    HandshakeHeader.putStart(target, type, Versions.SUPPORTED);
    Fields.putShort(target, payload.length);
    proof.encode(target);
    target.put(payload);
  }

  /** Reads the message of that type between position and limit. */
  public static Proof decode(ByteBuffer source, int type) throws MalformedFrameException {
    HandshakeHeader.takeStart(source, type);
    int payloadBytes = Fields.unsignedShort(source);
    if (payloadBytes > MAX_PAYLOAD_BYTES) {
      throw new MalformedFrameException("payload of " + payloadBytes + " bytes");
    }
    Bits256 proof = Bits256.decode(source);
    byte[] payload = new byte[payloadBytes];
    source.get(Fields.take(source, payloadBytes), payload);
    return new Proof(type, proof, payload);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Proof that
        && type == that.type
        && proof.equals(that.proof)
        && Arrays.equals(payload, that.payload);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * type + proof.hashCode()) + Arrays.hashCode(payload);
  }
}
