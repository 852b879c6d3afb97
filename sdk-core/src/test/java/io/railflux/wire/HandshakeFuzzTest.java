package io.railflux.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

class HandshakeFuzzTest {
  static Stream<byte[]> seeds() {
    return Seeds.bytes(Seeds.HELLO);
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "10s")
  void messageType(byte[] bytes) {
    Hostile.decode(bytes, HandshakeHeader::messageType);
  }
}
