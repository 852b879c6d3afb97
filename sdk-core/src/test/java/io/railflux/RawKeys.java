package io.railflux;

import io.railflux.crypto.CipherSuite;
import io.railflux.crypto.EphemeralKey;
import io.railflux.crypto.Kdf;
import io.railflux.crypto.KeySchedule;
import io.railflux.crypto.KeySchedule.Purpose;
import io.railflux.crypto.KeySchedule.Role;
import io.railflux.crypto.SealingKey;
import io.railflux.crypto.Secret;
import io.railflux.crypto.WordProof;
import io.railflux.wire.ControlWords;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.handshake.Authentication;
import io.railflux.wire.handshake.Bits256;
import io.railflux.wire.handshake.Grant;
import io.railflux.wire.handshake.HandshakeHeader;
import io.railflux.wire.handshake.Hello;
import io.railflux.wire.handshake.Proof;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.InvalidKeyException;
import java.security.SecureRandom;

/** The cryptography of a {@link RawPeer} with a secret, implemented from the wire protocol without the engine. */
final class RawKeys {

  private static final SecureRandom RANDOM = new SecureRandom();

  private final Secret secret;
  private final boolean seals;
  private final EphemeralKey own = new EphemeralKey(random().bytes());
  private byte[] greeting;
  private KeySchedule keys;
  private SealingKey frames;
  private WordProof words;
  private long frameNumber;
  private long wordsNumber;

  RawKeys(String secret, boolean seals) {
    this.secret = new Secret(secret);
    this.seals = seals;
  }

  private static Bits256 random() {
    return Bits256.random(RANDOM::nextLong);
  }

  boolean seals() {
    return seals;
  }

  Authentication offer() {
    return new Authentication(
        Authentication.SECRET,
        seals ? Authentication.MUST : Authentication.NEVER,
        CipherSuite.AES_256_GCM.bit(),
        secret.id(),
        random(),
        Bits256.of(own.publicKey()),
        Bits256.ZERO);
  }

  /** Adds the proof to a HELLO in place, before it is sent. */
  void prove(ByteBuffer message, int start, int end) {
    greeting = new byte[end - start];
    message.get(start, greeting);
    Bits256 proof = Bits256.of(secret.proveGreeting(greeting));
    proof.put(message, start + Authentication.proofOffset());
    proof.put(ByteBuffer.wrap(greeting), Authentication.proofOffset());
  }

  void answered(Hello hello, byte[] message) {
    Bits256.ZERO.put(ByteBuffer.wrap(message), Authentication.proofOffset());
    try {
      byte[] shared = own.agree(hello.authentication().publicKey().bytes());
      byte[] transcript = Kdf.sha256(Kdf.sha256(greeting), Kdf.sha256(message));
      keys = new KeySchedule(secret, shared, transcript);
    } catch (InvalidKeyException e) {
      throw new AssertionError(e);
    }
    frames = new SealingKey(
        CipherSuite.AES_256_GCM, keys.key(keys.session(), Role.CONNECTOR, Purpose.FRAMES));
    words = new WordProof(keys.key(keys.session(), Role.CONNECTOR, Purpose.WORDS));
  }

  Proof show(byte[] grant) {
    Bits256 proof = Bits256.of(keys.proof(Role.CONNECTOR));
    byte[] sealed = new byte[grant.length + SealingKey.TAG_BYTES];
    keys.grant(Role.CONNECTOR).seal(0, proof.bytes(), grant, grant.length, sealed, 0);
    return new Proof(HandshakeHeader.PROOF, proof, sealed);
  }

  Grant open(Proof joined) throws MalformedFrameException {
    byte[] sealed = joined.payload();
    byte[] plain = new byte[sealed.length - SealingKey.TAG_BYTES];
    if (!keys.grant(Role.ACCEPTOR).open(0, joined.proof().bytes(), sealed, sealed.length, plain)) {
      throw new AssertionError("the node's grant does not open");
    }
    return Grant.decode(ByteBuffer.wrap(plain));
  }

  /** Seals a frame in place. Returns its publish word without writing it. */
  long seal(ByteBuffer ring, int at, long word) {
    byte[] plain = new byte[FrameHeader.lengthBytes(word) - Long.BYTES];
    ring.get(at + Long.BYTES, plain);
    long sealedWord = FrameHeader.word(
        FrameHeader.lengthBytes(word) + SealingKey.TAG_BYTES,
        FrameHeader.type(word),
        FrameHeader.flags(word) | FrameFlags.TAG,
        FrameHeader.headerBytes(word));
    byte[] known = ByteBuffer.allocate(Long.BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(sealedWord)
        .array();
    byte[] sealed = new byte[plain.length + SealingKey.TAG_BYTES];
    frames.seal(frameNumber++, known, plain, plain.length, sealed, 0);
    ring.put(at + Long.BYTES, sealed);
    return sealedWord;
  }

  /** Writes an authenticated record of positions. */
  void report(ByteBuffer target, long credit, long ack) {
    wordsNumber++;
    words.compute(credit, ack, wordsNumber);
    ControlWords.storeSealed(
        target, ControlWords.SEALED_OFFSET, credit, ack, wordsNumber, words.low(), words.high());
  }
}
