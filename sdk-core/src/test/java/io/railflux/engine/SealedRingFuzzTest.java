package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.railflux.crypto.CipherSuite;
import io.railflux.crypto.SealingKey;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.ring.IncomingRing;
import io.railflux.engine.seal.SealedFrames;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** A ring of sealed frames, overwritten by an attacker without the key. */
class SealedRingFuzzTest {

  private static final int SIZE = 1024;
  private static final int FRAMES = 4;

  static Stream<byte[]> seeds() {
    return Stream.of(
            "00" + "01",
            "05" + "ff",
            "80" + "22000000" + "02112000" + "11".repeat(56),
            "00" + "00040000" + "01000000",
            "00" + "ff030000" + "02102000" + "00".repeat(100),
            "00" + "ffffffff" + "ffffffff")
        .map(HexFormat.of()::parseHex);
  }

  private static SealingKey key() {
    return new SealingKey(CipherSuite.AES_256_GCM, new byte[32]);
  }

  /** The first byte determines the position of the others over validly sealed frames. */
  @MethodSource("seeds")
  @FuzzTest(maxDuration = "10s")
  void poll(byte[] bytes) throws ProtocolViolation {
    ByteBuffer memory = RingMemory.of(SIZE);
    List<Long> written = write(memory);
    for (int i = 1; i < bytes.length; i++) {
      int at = (bytes[0] & 0xFF) + i - 1;
      if (at < SIZE) {
        memory.put(at, bytes[i]);
      }
    }
    List<Long> read = new ArrayList<>();
    IncomingRing ring = new IncomingRing(memory, SIZE, false, new SealedFrames.Opener(key()));
    // No violation is thrown: writes of strangers are not attributed to the peer.
    ring.poll(frame -> read.add(frame.streamSeq()), SIZE);

    assertEquals(written.subList(0, read.size()), read, "only sealed frames, in order");
  }

  private static List<Long> write(ByteBuffer memory) {
    SealedFrames.Sealer sealer = new SealedFrames.Sealer(key());
    ByteBuffer plain = RingMemory.of(128);
    List<Long> written = new ArrayList<>();
    int at = 0;
    for (long seq = 1; seq <= FRAMES; seq++) {
      FrameHeader.put(plain, 0, seq, 1, seq);
      long word = FrameHeader.word(FrameHeader.BYTES + 40, FrameType.DATA, 0, FrameHeader.BYTES);
      sealer.seal(plain, 0, word, memory, at);
      long sealedWord = SealedFrames.Sealer.sealedWord(word);
      FrameHeader.publish(memory, at, sealedWord);
      at += FrameHeader.slotBytes(FrameHeader.lengthBytes(sealedWord));
      written.add(seq);
    }
    return written;
  }
}
