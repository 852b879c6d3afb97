package io.railflux.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

class TcpPreambleFuzzTest {

  static Stream<byte[]> seeds() {
    return Stream.concat(
        Stream.of(preamble()),
        Stream.of(
                "5246544301000100",
                "5246544301000300",
                "5246544303000300",
                "5246544302000100",
                "5246544300000000",
                "474554202f204854")
            .map(HexFormat.of()::parseHex));
  }

  private static byte[] preamble() {
    ByteBuf own = Unpooled.buffer();
    TcpPreamble.put(own);
    return ByteBufUtil.getBytes(own);
  }

  /** The preamble is valid for this version or a later one, or it is rejected with a reason of one line. */
  @MethodSource("seeds")
  @FuzzTest(maxDuration = "10s")
  void objection(byte[] bytes) {
    if (bytes.length < TcpPreamble.BYTES) {
      return;
    }
    String objection = TcpPreamble.objection(Unpooled.wrappedBuffer(bytes));
    boolean speaksIt = Arrays.equals(preamble(), 0, Integer.BYTES, bytes, 0, Integer.BYTES);
    int min = Byte.toUnsignedInt(bytes[4]) | Byte.toUnsignedInt(bytes[5]) << 8;
    int max = Byte.toUnsignedInt(bytes[6]) | Byte.toUnsignedInt(bytes[7]) << 8;
    boolean common = Math.min(max, 2) >= Math.max(min, 1);
    assertEquals(speaksIt && common, objection == null);
    if (objection != null) {
      assertFalse(objection.isBlank());
      assertTrue(objection.lines().count() == 1, objection);
    }
  }
}
