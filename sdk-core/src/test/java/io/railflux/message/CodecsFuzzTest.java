package io.railflux.message;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

class CodecsFuzzTest {
  static Stream<byte[]> seeds() {
    return Stream.of(
            "00",
            "0100",
            "01000000",
            "000000000000f03f",
            "f09f9881",
            "edb080c080ff",
            "010000000700000000000000",
            "01020000030000000400000000000000" + "0001",
            "0807060504030201000000000000f03f04030201" + "0100000001",
            "0807060504030201000000000000f07f04030201" + "0300000002")
        .map(HexFormat.of()::parseHex);
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "10s")
  void decode(byte[] bytes) {
    HostileMessages.decode(bytes);
  }
}
