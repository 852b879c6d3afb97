package io.railflux.crypto;

/**
 * Every key of one handshake. Each has one purpose and one direction: what one side made says nothing when
 * it comes back to it, or in another place.
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
   * @param shared what {@link EphemeralKey#agree} gave
   * @param transcript digest of everything both sides said
   */
  public KeySchedule(Secret secret, byte[] shared, byte[] transcript) {
    this.transcript = transcript.clone();
    this.master = Kdf.extract(transcript, shared, secret.agreementKey());
  }

  /** Who speaks. */
  public enum Role {
    CONNECTOR,
    ACCEPTOR;

    /** The one that listens to it. */
    public Role other() {
      return this == CONNECTOR ? ACCEPTOR : CONNECTOR;
    }
  }

  /** What keys of a session's frames are for. */
  public enum Purpose {
    /** Frames in the ring. */
    FRAMES,
    /** Credit and acknowledgement beside the ring. */
    WORDS,
    /** Parts of large messages that travel outside the ring. */
    CHUNKS
  }

  /** That the role knows the secret and took part in this very exchange. */
  public byte[] proof(Role role) {
    return Kdf.hmac(Kdf.expand(master, role + " proof"), transcript);
  }

  /** That the role refuses the other, in these words. */
  public byte[] refusal(Role role, byte[] message) {
    return Kdf.hmac(Kdf.expand(master, role + " refusal"), transcript, message);
  }

  /** Seals the one grant of a role: with number 0 and nothing after it. */
  public SealingKey grant(Role role) {
    return new SealingKey(CipherSuite.AES_256_GCM, Kdf.expand(master, role + " grant"));
  }

  /** Key of the session that begins with this handshake. */
  public byte[] session() {
    return Kdf.expand(master, "session");
  }

  /** That the role belongs to a session that exists. */
  public byte[] sessionProof(byte[] session, Role role) {
    return Kdf.hmac(Kdf.expand(session, role + " joins"), transcript);
  }

  /** Key for what the role sends over the subchannel that joins the session. */
  public byte[] key(byte[] session, Role role, Purpose purpose) {
    return Kdf.expand(Kdf.extract(master, session), role + " " + purpose);
  }
}
