package io.railflux.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

class ReceivedFrameFuzzTest {
  static Stream<byte[]> seeds() {
    return Seeds.bytes(Seeds.FRAME);
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "10s")
  void read(byte[] bytes) {
    Hostile.readFrame(bytes);
  }
}
