package io.railflux.engine;

import io.railflux.crypto.CipherSuite;
import io.railflux.crypto.KeySchedule;
import io.railflux.crypto.KeySchedule.Purpose;
import io.railflux.crypto.KeySchedule.Role;
import io.railflux.crypto.SealingKey;
import io.railflux.crypto.WordProof;

/**
 * Keys of one subchannel whose frames are sealed. Each of the methods is for one call: two sealers of one
 * key would use its numbers twice.
 *
 * @param session key of the session the subchannel belongs to
 * @param own role of this side
 */
@SuppressWarnings("ArrayRecordComponent") // A key: never compared, never changed.
record Sealing(CipherSuite cipher, KeySchedule keys, byte[] session, Role own) {

  FrameSealer frameSealer() {
    return new FrameSealer(key(own, Purpose.FRAMES));
  }

  FrameOpener frameOpener() {
    return new FrameOpener(key(own.other(), Purpose.FRAMES));
  }

  WordProof wordSealer() {
    return new WordProof(keys.key(session, own, Purpose.WORDS));
  }

  SealedWords words() {
    return new SealedWords(new WordProof(keys.key(session, own.other(), Purpose.WORDS)));
  }

  ChunkSealer chunkSealer() {
    return new ChunkSealer(key(own, Purpose.CHUNKS));
  }

  ChunkSealer chunkOpener() {
    return new ChunkSealer(key(own.other(), Purpose.CHUNKS));
  }

  private SealingKey key(Role role, Purpose purpose) {
    return new SealingKey(cipher, keys.key(session, role, purpose));
  }
}
