package io.railflux.engine;

import io.railflux.crypto.CipherSuite;
import io.railflux.crypto.EphemeralKey;
import io.railflux.crypto.Kdf;
import io.railflux.crypto.KeySchedule;
import io.railflux.crypto.KeySchedule.Role;
import io.railflux.crypto.SealingKey;
import io.railflux.crypto.Secret;
import io.railflux.fabric.Protection;
import io.railflux.wire.Authentication;
import io.railflux.wire.Bits256;
import io.railflux.wire.Grant;
import io.railflux.wire.Handshake;
import io.railflux.wire.Hello;
import io.railflux.wire.HelloReject;
import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.Proof;
import java.nio.ByteBuffer;
import java.security.InvalidKeyException;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * What one side of one handshake shows, and what it makes of what the other shows. Without a secret it
 * passes everything on as it is. Engine thread only.
 *
 * <p>The transcript is all of both HELLOs, so nothing that was said can be taken away, put in or said by
 * another than who said it: neither versions nor ciphers can be talked down.
 */
final class Authenticator {

  private static final int REJECT_PROOF_BYTES = Bits256.BYTES;

  private final Security security;
  private final Secrets secrets;
  private final Protection protection;
  private final LongSupplier random;
  private final Role role;

  private Secret secret;
  private EphemeralKey ownKey;
  private byte[] ownHello;
  private KeySchedule keys;
  private CipherSuite cipher;

  Authenticator(
      EngineConfig config, Secrets secrets, Protection protection, Role role, LongSupplier random) {
    this.security = config.security();
    this.secrets = secrets;
    this.protection = protection;
    this.role = role;
    this.random = random;
  }

  /** What the connecting side says in its HELLO. */
  Authentication offer() throws Refused {
    if (!secrets.areNeeded()) {
      return Authentication.NOTHING;
    }
    secret = secrets.first();
    if (secret == null) {
      throw new Refused(HelloReject.AUTHENTICATION, "this node has no secret to show");
    }
    return withSecret(security.sealing(protection), CipherSuite.all());
  }

  private Authentication withSecret(int sealing, int ciphers) {
    ownKey = new EphemeralKey(Bits256.random(random).bytes());
    return new Authentication(
        Authentication.SECRET,
        sealing,
        ciphers,
        secret.id(),
        Bits256.random(random),
        Bits256.of(ownKey.publicKey()),
        Bits256.ZERO);
  }

  /** Proves the connecting side's HELLO as it is about to be sent: the bytes up to the limit. */
  void prove(ByteBuffer message, int start, int end) {
    ownHello = bytes(message, start, end);
    if (secret != null) {
      Bits256 proof = Bits256.of(secret.proveGreeting(ownHello));
      proof.put(message, start + Authentication.proofOffset());
      proof.put(ByteBuffer.wrap(ownHello), Authentication.proofOffset());
    }
  }

  /**
   * The accepting side read a HELLO of these bytes: what it says in its own.
   *
   * @param greetings what was heard before
   */
  Authentication answer(Hello hello, byte[] message, Greetings greetings) throws Refused {
    Authentication theirs = hello.authentication();
    if (!secrets.areNeeded()) {
      if (theirs.method() != Authentication.NONE) {
        throw unproven("this node has no secret; it cannot show the one that is expected of it");
      }
      return Authentication.NOTHING;
    }
    if (theirs.method() != Authentication.SECRET) {
      throw unproven("this node lets nobody in who does not know its secret");
    }
    secret = secrets.byId(theirs.keyId());
    if (secret == null || !isProven(message, theirs.proof())) {
      throw unproven("this node has another secret");
    }
    if (!greetings.isNew(theirs.nonce())) {
      throw unproven("this HELLO was said before");
    }
    int sealing = decide(security.sealing(protection), theirs.sealing());
    cipher = CipherSuite.among(theirs.ciphers(), security.cipher());
    if (cipher == null) {
      throw new Refused(HelloReject.SEALING, "no cipher in common");
    }
    return withSecret(sealing, cipher.bit());
  }

  private static Refused unproven(String text) {
    return new Refused(HelloReject.AUTHENTICATION, text);
  }

  private boolean isProven(byte[] message, Bits256 proof) {
    byte[] blank = message.clone();
    Bits256.ZERO.put(ByteBuffer.wrap(blank), Authentication.proofOffset());
    return Bits256.of(secret.proveGreeting(blank)).matches(proof);
  }

  private static int decide(int own, int theirs) throws Refused {
    boolean must = own == Authentication.MUST || theirs == Authentication.MUST;
    if (must && (own == Authentication.NEVER || theirs == Authentication.NEVER)) {
      throw new Refused(
          HelloReject.SEALING,
          "one side demands encryption and the other refuses it; see Railflux.encryption(...)");
    }
    return must ? Authentication.MUST : Authentication.NEVER;
  }

  /** As {@link #prove}, for the accepting side, which answers {@code hello} of these bytes. */
  void prove(ByteBuffer message, int start, int end, Hello hello, byte[] theirs) throws Refused {
    ownHello = bytes(message, start, end);
    if (secret != null) {
      agree(hello.authentication().publicKey(), theirs, ownHello);
      Bits256.of(keys.proof(Role.ACCEPTOR)).put(message, start + Authentication.proofOffset());
      decided(sealingOf(ownHello));
    }
  }

  private static int sealingOf(byte[] hello) {
    return hello[Authentication.sealingOffset()];
  }

  /** The connecting side read the answer of these bytes. */
  void answered(Hello hello, byte[] message) throws Refused {
    Authentication theirs = hello.authentication();
    if (secret == null) {
      if (theirs.method() != Authentication.NONE) {
        throw unproven("the peer wants to be shown a secret, and this node has none");
      }
      return;
    }
    if (theirs.method() != Authentication.SECRET || theirs.keyId() != secret.id()) {
      throw unproven("the peer does not show the secret");
    }
    byte[] blank = message.clone();
    Bits256.ZERO.put(ByteBuffer.wrap(blank), Authentication.proofOffset());
    agree(theirs.publicKey(), ownHello, blank);
    if (!Bits256.of(keys.proof(Role.ACCEPTOR)).matches(theirs.proof())) {
      throw unproven("the peer does not know the secret");
    }
    if (decide(security.sealing(protection), theirs.sealing()) != theirs.sealing()) {
      throw new Refused(HelloReject.SEALING, "the peer decided against what this side wants");
    }
    cipher = CipherSuite.among(theirs.ciphers(), security.cipher());
    if (cipher == null) {
      throw new Refused(HelloReject.SEALING, "the peer chose a cipher this node does not know");
    }
    decided(theirs.sealing());
  }

  private void agree(Bits256 publicKey, byte[] connector, byte[] acceptor) throws Refused {
    try {
      byte[] shared = ownKey.agree(publicKey.bytes());
      byte[] transcript = Kdf.sha256(Kdf.sha256(connector), Kdf.sha256(acceptor));
      keys = new KeySchedule(secret, shared, transcript);
    } catch (InvalidKeyException e) {
      throw unproven("the public key is none: " + e.getMessage());
    }
  }

  private void decided(int sealing) {
    if (sealing != Authentication.MUST) {
      cipher = null;
    }
  }

  /**
   * This side's second message.
   *
   * @param session key of the session that is joined; null for a new one
   */
  Proof show(Grant grant, byte[] session) {
    int type = role == Role.CONNECTOR ? Handshake.PROOF : Handshake.JOINED;
    byte[] plain = new byte[Grant.BYTES];
    if (keys == null) {
      grant.encode(ByteBuffer.wrap(plain));
      return new Proof(type, Bits256.ZERO, plain);
    }
    withSessionProof(grant, session).encode(ByteBuffer.wrap(plain));
    Bits256 proof = Bits256.of(keys.proof(role));
    byte[] sealed = new byte[plain.length + SealingKey.TAG_BYTES];
    keys.grant(role).seal(0, proof.bytes(), plain, plain.length, sealed, 0);
    return new Proof(type, proof, sealed);
  }

  private Grant withSessionProof(Grant grant, byte[] session) {
    Bits256 proof = session == null ? Bits256.ZERO : Bits256.of(keys.sessionProof(session, role));
    return new Grant(
        grant.ringKey(), grant.ringBytes(), grant.wordsKey(), grant.wordsBytes(), proof);
  }

  /** What the other side's second message grants, if it comes from who took part in the first. */
  Grant check(Proof shown) throws Refused, MalformedFrameException {
    byte[] payload = shown.payload();
    if (keys == null) {
      return Grant.decode(ByteBuffer.wrap(payload));
    }
    Bits256 proof = Bits256.of(keys.proof(role.other()));
    byte[] plain = new byte[Math.max(0, payload.length - SealingKey.TAG_BYTES)];
    if (!proof.matches(shown.proof())
        || !keys.grant(role.other()).open(0, proof.bytes(), payload, payload.length, plain)) {
      throw unproven("the peer does not know the secret");
    }
    return Grant.decode(ByteBuffer.wrap(plain));
  }

  /** Whether the peer belongs to the session, whose key is null when it needs none. */
  void checkSession(Grant grant, byte[] session) throws Refused {
    boolean right = session == null
        || (keys != null
            && Bits256.of(keys.sessionProof(session, role.other())).matches(grant.sessionProof()));
    if (!right) {
      throw unproven("the peer does not know the session");
    }
  }

  /** Proves a refusal in place: the proof is its end. */
  void proveReject(ByteBuffer message, int start, int end) {
    if (keys != null) {
      byte[] text = bytes(message, start, end - REJECT_PROOF_BYTES);
      Bits256.of(keys.refusal(role, text)).put(message, end - REJECT_PROOF_BYTES);
    }
  }

  /** Whether a refusal of these bytes is the peer's, as far as anybody can know. */
  boolean isPeers(HelloReject reject, byte[] message) {
    if (!secrets.areNeeded()) {
      return true;
    }
    if (keys == null || message.length < REJECT_PROOF_BYTES) {
      return false;
    }
    byte[] text = Arrays.copyOf(message, message.length - REJECT_PROOF_BYTES);
    return Bits256.of(keys.refusal(role.other(), text)).matches(reject.proof());
  }

  /** Key of a session that begins; null without a secret. */
  byte[] newSession() {
    return keys == null ? null : keys.session();
  }

  /** How frames of the subchannel are sealed; null when they are not. */
  Sealing sealing(byte[] session) {
    return cipher == null ? null : new Sealing(cipher, keys, session, role);
  }

  private static byte[] bytes(ByteBuffer message, int start, int end) {
    byte[] copy = new byte[end - start];
    message.get(start, copy);
    return copy;
  }
}
