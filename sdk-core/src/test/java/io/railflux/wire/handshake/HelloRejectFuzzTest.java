package io.railflux.wire.handshake;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.railflux.wire.Hostile;
import io.railflux.wire.Seeds;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

class HelloRejectFuzzTest {
  static Stream<byte[]> seeds() {
    return Seeds.bytes(HandshakeSeeds.HELLO_REJECT);
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "10s")
  void decode(byte[] bytes) {
    Hostile.decode(bytes, HelloReject::decode);
  }
}
