package io.railflux.engine.seal;

import io.railflux.crypto.CipherSuite;
import io.railflux.crypto.KeySchedule;
import io.railflux.crypto.KeySchedule.Purpose;
import io.railflux.crypto.KeySchedule.Role;
import io.railflux.crypto.SealingKey;
import io.railflux.crypto.WordProof;

/**
 * Keys of a subchannel with sealed frames. Each method may be called once: two sealers with one key would reuse
 * its numbers.
 *
 * @param session key of the subchannel's session
 * @param own role of this side
 */
@SuppressWarnings("ArrayRecordComponent") // A key: never compared, never changed.
public record Sealing(CipherSuite cipher, KeySchedule keys, byte[] session, Role own) {

  public SealedFrames.Sealer frameSealer() {
    return new SealedFrames.Sealer(key(own, Purpose.FRAMES));
  }

  public SealedFrames.Opener frameOpener() {
    return new SealedFrames.Opener(key(own.other(), Purpose.FRAMES));
  }

  public WordProof wordSealer() {
    return new WordProof(keys.key(session, own, Purpose.WORDS));
  }

  public SealedWords words() {
    return new SealedWords(new WordProof(keys.key(session, own.other(), Purpose.WORDS)));
  }

  SealedChunks.Sealer chunkSealer() {
    return new SealedChunks.Sealer(key(own, Purpose.CHUNKS));
  }

  SealedChunks.Sealer chunkOpener() {
    return new SealedChunks.Sealer(key(own.other(), Purpose.CHUNKS));
  }

  private SealingKey key(Role role, Purpose purpose) {
    return new SealingKey(cipher, keys.key(session, role, purpose));
  }
}
