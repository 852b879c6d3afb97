package io.railflux.engine.ring;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.railflux.engine.RingMemory;
import io.railflux.engine.base.ProtocolViolation;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** A ring with arbitrary content of a peer. */
class IncomingRingFuzzTest {

  private static final int SIZE = 1024;
  private static final String DATA = "22000000" + "02012000" + "11".repeat(24) + "6869";

  static Stream<byte[]> seeds() {
    return Stream.of(
            DATA + "00".repeat(30) + DATA,
            "00040000" + "01000000",
            "30000000" + "0d023000" + "00".repeat(40),
            "ff030000" + "02002000" + "00".repeat(100),
            "ffffffff" + "ffffffff")
        .map(HexFormat.of()::parseHex);
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "10s")
  void poll(byte[] bytes) {
    ByteBuffer memory = RingMemory.of(SIZE);
    memory.put(0, bytes, 0, Math.min(bytes.length, SIZE));
    IncomingRing ring = new IncomingRing(memory, SIZE, false);
    try {
      ring.poll(
          frame -> {
            int end = frame.bodyOffset() + frame.bodyBytes();
            assertTrue(frame.bodyOffset() >= 0 && frame.bodyBytes() >= 0 && end <= SIZE);
            return true;
          },
          SIZE);
    } catch (ProtocolViolation e) {
      assertFalse(e.getMessage().isBlank());
    }

    // Consumed bytes are cleared, so there is no second round.
    assertTrue(ring.consumed() <= SIZE && ring.consumed() % 64 == 0);
  }
}
