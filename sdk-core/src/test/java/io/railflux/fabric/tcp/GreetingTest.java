package io.railflux.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.railflux.fabric.RealContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An accepted connection before the greeting of its peer. */
class GreetingTest {

  private static final long GREETING_MILLIS = 1_000;

  private final List<String> refused = new ArrayList<>();
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final RealContext context = new RealContext();

  @BeforeEach
  void accept() {
    TcpConnection.Owner owner = new TcpConnection.Owner() {
      @Override
      public TcpEndpoint onGreeted(TcpConnection connection) {
        throw new OutOfMemoryError("Direct buffer memory");
      }

      @Override
      public void onRefused(TcpConnection connection, String reason) {
        refused.add(reason);
      }
    };
    channel.freezeTime();
    new TcpConnection(owner, new TcpCore(context, null), GREETING_MILLIS).install(channel, null);
    channel.pipeline().fireChannelActive();
  }

  @AfterEach
  void release() {
    channel.finishAndReleaseAll();
    context.close();
  }

  @Test
  void isRejectedAndRemovedWithoutMemoryForItsEndpoint() {
    ByteBuf preamble = Unpooled.wrappedBuffer(BarePeer.PREAMBLE);
    channel.writeInbound(preamble);

    assertFalse(channel.isOpen());
    assertEquals(0, preamble.refCnt());
    assertEquals(
        List.of(
            "the connection to an unknown peer failed: java.lang.OutOfMemoryError: Direct buffer memory"),
        refused);
  }

  @Test
  void namesTheBytesOfAnotherProtocolInWireOrder() {
    channel.writeInbound(Unpooled.copiedBuffer("GET /\r\n\r\n", StandardCharsets.US_ASCII));

    assertEquals(
        List.of("it uses another protocol: the first bytes were 0x474554202f0d0a0d ('GET /...')"),
        refused);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 7})
  void isRejectedIfItsPreambleIsNotCompleteInTime(int bytes) {
    channel.writeInbound(Unpooled.wrappedBuffer(BarePeer.PREAMBLE, 0, bytes));

    pass(GREETING_MILLIS - 1);
    assertTrue(channel.isOpen());
    pass(1);
    assertFalse(channel.isOpen());
    assertEquals(List.of("no greeting within 1000 ms"), refused);
  }

  private void pass(long millis) {
    channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
  }
}
