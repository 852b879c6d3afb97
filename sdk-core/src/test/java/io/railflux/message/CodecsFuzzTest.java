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
            "0807060504030201000000000000f07f04030201" + "0300000002",
            // From VariableRecordCodecTest: an order, a sparse one, trees, chains, and counts and
            // lengths that are too
            // large.
            "07000000000000000453454c4c01056772c3bc6e02016101000000"
                + "00ffffffff01037461780200000002" + "04e2010000000000000002000000",
            "000002010178" + "00",
            "0161020162000163" + "00",
            "01000000" + "0102000000" + "00",
            "01" + "0100000002000000" + "01" + "03000000000000000400000000000000",
            "ffffffff07",
            "0000000000000000ffffffff07",
            "0101010101010101010101010101010101010101010101010101")
        .map(HexFormat.of()::parseHex);
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "10s")
  void decode(byte[] bytes) {
    HostileMessages.decode(bytes);
  }
}
