package io.railflux.crypto;

/**
 * The keys of one handshake. Each key has one purpose and one direction. A message is therefore invalid if it returns
 * to its sender, or in another place.
 *
 * <pre>
 *   X25519 ‖ secret ─extract(transcript)─▶ master ─┬─ proof, grant, refusal of each role
 *                                                  ├─ session (at a first contact)
 *   session ─────────────────extract(master)─▶ join ─ frames, words, chunks of each role
 * </pre>
 */
public final class KeySchedule {
  private final byte[] transcript;
  private final byte[] master;

  /**
   * @param shared result of {@link EphemeralKey#agree}
   * @param transcript digest of the messages of both sides
   */
  public KeySchedule(Secret secret, byte[] shared, byte[] transcript) {
    this.transcript = transcript.clone();
    this.master = Kdf.extract(transcript, shared, secret.agreementKey());
  }

  /** Role of a side. */
  public enum Role {
    CONNECTOR,
    ACCEPTOR;

    /** Returns the other role. */
    public Role other() {
      return this == CONNECTOR ? ACCEPTOR : CONNECTOR;
    }
  }

  /** Purpose of a key. */
  public enum Purpose {
    /** Frames in the ring. */
    FRAMES,
    /** Credit and acknowledgement beside the ring. */
    WORDS,
    /** Chunks of large messages outside the ring. */
    CHUNKS
  }

  /** Proves that the role knows the secret and took part in this handshake. */
  public byte[] proof(Role role) {
    return Kdf.hmac(Kdf.expand(master, role + " proof"), transcript);
  }

  /** Proves that the role refuses the other side with this message. */
  public byte[] refusal(Role role, byte[] message) {
    return Kdf.hmac(Kdf.expand(master, role + " refusal"), transcript, message);
  }

  /** Returns the key for the single grant of a role, with number 0. */
  public SealingKey grant(Role role) {
    return new SealingKey(CipherSuite.AES_256_GCM, Kdf.expand(master, role + " grant"));
  }

  /** Returns the key of the session that begins with this handshake. */
  public byte[] session() {
    return Kdf.expand(master, "session");
  }

  /** Proves that the role belongs to an existing session. */
  public byte[] sessionProof(byte[] session, Role role) {
    return Kdf.hmac(Kdf.expand(session, role + " joins"), transcript);
  }

  /** Returns the key of a role and purpose for the joining subchannel. */
  public byte[] key(byte[] session, Role role, Purpose purpose) {
    return Kdf.expand(Kdf.extract(master, session), role + " " + purpose);
  }
}
