package io.railflux.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.railflux.fabric.tcp.frames.TcpFrame;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** The first byte determines the sizes of the pieces in which the others arrive. */
class TcpFrameFuzzTest {

  static Stream<byte[]> seeds() {
    return Stream.of(
        seed(
            HostileEndpoint.frame(TcpFrame.WRITE, 8, 0, HostileEndpoint.KEY, 8, 8),
            HostileEndpoint.frame(TcpFrame.SEND, 64, 0, 0, 0, 64)),
        seed(
            HostileEndpoint.frame(TcpFrame.REPLY, 32, 1, 0, 0, 32),
            HostileEndpoint.frame(TcpFrame.READ, 64, 1, HostileEndpoint.KEY, 0, 0)),
        seed(
            HostileEndpoint.frame(TcpFrame.WRITE_IMMEDIATE, 4, 0, HostileEndpoint.KEY, 0, 4),
            HostileEndpoint.frame(TcpFrame.WRITE_IMMEDIATE, 4, 0, HostileEndpoint.KEY, 0, 4)),
        seed(
            HostileEndpoint.frame(TcpFrame.FETCH_ADD, 16, 0, HostileEndpoint.KEY, 0, 16),
            HostileEndpoint.frame(TcpFrame.REFUSED, 0, 0, 1, 0, 0)));
  }

  private static byte[] seed(ByteBuf... frames) {
    return ByteBufUtil.getBytes(Unpooled.wrappedBuffer(
        Unpooled.wrappedBuffer(new byte[] {9}), Unpooled.wrappedBuffer(frames)));
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "10s")
  void read(byte[] bytes) {
    if (bytes.length == 0) {
      return;
    }
    try (HostileEndpoint hostile = new HostileEndpoint()) {
      ByteBuf frames = Unpooled.wrappedBuffer(bytes, 1, bytes.length - 1);
      hostile.feed(frames, 1 + Byte.toUnsignedInt(bytes[0]));
      assertTrue(hostile.keptToItsRegion());
    }
  }
}
