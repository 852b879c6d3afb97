package io.railflux.pipeline;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

class MetadatasFuzzTest {
  static Stream<byte[]> seeds() {
    return Stream.of(
            "00",
            "0200057472616365" + "0200beef" + "01046b65c3b10000",
            "0100000000",
            "0200016101000002016161010001",
            "010101610200c328",
            "0107016101" + "00ff",
            "ff0000ffff")
        .map(HexFormat.of()::parseHex);
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "10s")
  void decode(byte[] bytes) {
    if (bytes.length <= io.railflux.wire.Metadata.MAX_BYTES) {
      HostileMetadata.decode(bytes);
    }
  }
}
