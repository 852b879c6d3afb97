package io.railflux.engine.connect;

import io.railflux.crypto.CipherSuite;
import io.railflux.crypto.EphemeralKey;
import io.railflux.crypto.Kdf;
import io.railflux.crypto.KeySchedule;
import io.railflux.crypto.KeySchedule.Role;
import io.railflux.crypto.SealingKey;
import io.railflux.crypto.Secret;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.Security;
import io.railflux.engine.seal.Sealing;
import io.railflux.fabric.Protection;
import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.handshake.Authentication;
import io.railflux.wire.handshake.Bits256;
import io.railflux.wire.handshake.Grant;
import io.railflux.wire.handshake.HandshakeHeader;
import io.railflux.wire.handshake.Hello;
import io.railflux.wire.handshake.HelloReject;
import io.railflux.wire.handshake.Proof;
import java.nio.ByteBuffer;
import java.security.InvalidKeyException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Authenticates one side of one handshake and verifies the other side. Without a secret, all messages pass unchanged.
 * Engine thread only.
 *
 * <p>The transcript covers both HELLOs. Nothing can be removed, inserted or attributed to another sender, so neither
 * versions nor ciphers can be downgraded.
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

  /** Returns the authentication part of the connecting side's HELLO. */
  Authentication offer() throws Refusals.Refused {
    if (!secrets.areNeeded()) {
      return Authentication.NOTHING;
    }
    secret = secrets.first();
    if (secret == null) {
      throw new Refusals.Refused(
          HelloReject.AUTHENTICATION, "the connecting node has no secret to show");
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

  /** Proves the connecting side's HELLO before it is sent: the bytes up to the limit. */
  void prove(ByteBuffer message, int start, int end) {
    ownHello = bytes(message, start, end);
    if (secret != null) {
      Bits256 proof = Bits256.of(secret.proveGreeting(ownHello));
      proof.put(message, start + Authentication.proofOffset());
      proof.put(ByteBuffer.wrap(ownHello), Authentication.proofOffset());
    }
  }

  /**
   * Returns the authentication part of the accepting side's HELLO, in answer to the HELLO in {@code message}.
   *
   * @param greetings nonces of earlier HELLOs
   */
  Authentication answer(Hello hello, byte[] message, NonceCache greetings) throws Refusals.Refused {
    Authentication theirs = hello.authentication();
    if (!secrets.areNeeded()) {
      if (theirs.method() != Authentication.NONE) {
        throw unproven("the accepting node has no secret, and the connecting node requires one");
      }
      return Authentication.NOTHING;
    }
    if (theirs.method() != Authentication.SECRET) {
      throw unproven("the accepting node requires a secret, and the connecting node has none");
    }
    secret = secrets.byId(theirs.keyId());
    if (secret == null || !isProven(message, theirs.proof())) {
      throw unproven("the accepting node has another secret");
    }
    if (!greetings.isNew(theirs.nonce())) {
      throw unproven("this HELLO repeats an earlier one");
    }
    int sealing = decide(security.sealing(protection), theirs.sealing());
    cipher = CipherSuite.among(theirs.ciphers(), security.cipher());
    if (cipher == null) {
      throw new Refusals.Refused(HelloReject.SEALING, "no cipher in common");
    }
    return withSecret(sealing, cipher.bit());
  }

  private static Refusals.Refused unproven(String text) {
    return new Refusals.Refused(HelloReject.AUTHENTICATION, text);
  }

  private boolean isProven(byte[] message, Bits256 proof) {
    byte[] blank = message.clone();
    Bits256.ZERO.put(ByteBuffer.wrap(blank), Authentication.proofOffset());
    return Bits256.of(secret.proveGreeting(blank)).matches(proof);
  }

  private static int decide(int own, int theirs) throws Refusals.Refused {
    boolean must = own == Authentication.MUST || theirs == Authentication.MUST;
    if (must && (own == Authentication.NEVER || theirs == Authentication.NEVER)) {
      throw new Refusals.Refused(
          HelloReject.SEALING,
          "one side requires encryption and the other side refuses it; see Railflux.encryption(...)");
    }
    return must ? Authentication.MUST : Authentication.NEVER;
  }

  /**
   * Proves the accepting side's HELLO, which answers {@code hello}, encoded in {@code theirs}. Otherwise as
   * {@link #prove}.
   */
  void prove(ByteBuffer message, int start, int end, Hello hello, byte[] theirs)
      throws Refusals.Refused {
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

  /** Verifies the accepting side's HELLO, encoded in {@code message}, on the connecting side. */
  void answered(Hello hello, byte[] message) throws Refusals.Refused {
    Authentication theirs = hello.authentication();
    if (secret == null) {
      if (theirs.method() != Authentication.NONE) {
        throw unproven("the accepting node requires a secret, and the connecting node has none");
      }
      return;
    }
    if (theirs.method() != Authentication.SECRET || theirs.keyId() != secret.id()) {
      throw unproven("the accepting node sent no proof of the secret");
    }
    byte[] blank = message.clone();
    Bits256.ZERO.put(ByteBuffer.wrap(blank), Authentication.proofOffset());
    agree(theirs.publicKey(), ownHello, blank);
    if (!Bits256.of(keys.proof(Role.ACCEPTOR)).matches(theirs.proof())) {
      throw unproven("the accepting node does not know the secret");
    }
    if (decide(security.sealing(protection), theirs.sealing()) != theirs.sealing()) {
      throw new Refusals.Refused(
          HelloReject.SEALING,
          "the accepting node decided against the encryption setting of the connecting node");
    }
    cipher = CipherSuite.among(theirs.ciphers(), security.cipher());
    if (cipher == null) {
      throw new Refusals.Refused(
          HelloReject.SEALING,
          "the accepting node chose a cipher that the connecting node does not support");
    }
    decided(theirs.sealing());
  }

  private void agree(Bits256 publicKey, byte[] connector, byte[] acceptor) throws Refusals.Refused {
    try {
      byte[] shared = ownKey.agree(publicKey.bytes());
      byte[] transcript = Kdf.sha256(Kdf.sha256(connector), Kdf.sha256(acceptor));
      keys = new KeySchedule(secret, shared, transcript);
    } catch (InvalidKeyException e) {
      throw unproven("the public key is invalid: " + e.getMessage());
    }
  }

  private void decided(int sealing) {
    if (sealing != Authentication.MUST) {
      cipher = null;
    }
  }

  /**
   * Returns this side's second message.
   *
   * @param session key of the session to join; null for a new session
   */
  Proof show(Grant grant, byte[] session) {
    int type = role == Role.CONNECTOR ? HandshakeHeader.PROOF : HandshakeHeader.JOINED;
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

  /**
   * Returns the grant in the other side's second message, after verification that both messages have the same sender.
   */
  Grant check(Proof shown) throws Refusals.Refused, MalformedFrameException {
    byte[] payload = shown.payload();
    if (keys == null) {
      return Grant.decode(ByteBuffer.wrap(payload));
    }
    Bits256 proof = Bits256.of(keys.proof(role.other()));
    byte[] plain = new byte[Math.max(0, payload.length - SealingKey.TAG_BYTES)];
    if (!proof.matches(shown.proof())
        || !keys.grant(role.other()).open(0, proof.bytes(), payload, payload.length, plain)) {
      throw unproven(otherNode() + " does not know the secret");
    }
    return Grant.decode(ByteBuffer.wrap(plain));
  }

  /** Checks that the peer belongs to the session. The key is null if the session needs none. */
  void checkSession(Grant grant, byte[] session) throws Refusals.Refused {
    boolean right = session == null
        || (keys != null
            && Bits256.of(keys.sessionProof(session, role.other())).matches(grant.sessionProof()));
    if (!right) {
      throw unproven(otherNode() + " does not know the session");
    }
  }

  /** Names the peer as both nodes read it: the text crosses the wire. */
  private String otherNode() {
    return role == Role.ACCEPTOR ? "the connecting node" : "the accepting node";
  }

  /** Proves a refusal in place: the proof ends the message. */
  void proveReject(ByteBuffer message, int start, int end) {
    if (keys != null) {
      byte[] text = bytes(message, start, end - REJECT_PROOF_BYTES);
      Bits256.of(keys.refusal(role, text)).put(message, end - REJECT_PROOF_BYTES);
    }
  }

  /** Returns whether a refusal originates from the peer, as far as can be verified. */
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

  /** Returns the key of a new session; null without a secret. */
  byte[] newSession() {
    return keys == null ? null : keys.session();
  }

  /** Returns whether frames of the subchannel are sealed. Valid once both HELLOs are known. */
  boolean seals() {
    return cipher != null;
  }

  /** Returns the sealing of the subchannel; null if frames are not sealed. */
  Sealing sealing(byte[] session) {
    return cipher == null ? null : new Sealing(cipher, keys, session, role);
  }

  private static byte[] bytes(ByteBuffer message, int start, int end) {
    byte[] copy = new byte[end - start];
    message.get(start, copy);
    return copy;
  }

  /**
   * Nonces of recently proven HELLOs. A replayed HELLO cannot complete the handshake, but without this cache each
   * replay would cost a key agreement. Engine thread only.
   */
  static final class NonceCache {

    private static final int REMEMBERED = 4_096;

    private final Set<Bits256> seen = new LinkedHashSet<>();

    /** Returns whether the nonce is new, and records it. */
    boolean isNew(Bits256 nonce) {
      if (!seen.add(nonce)) {
        return false;
      }
      if (seen.size() > REMEMBERED) {
        seen.remove(seen.iterator().next());
      }
      return true;
    }
  }
}
