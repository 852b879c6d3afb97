package io.railflux.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.railflux.fabric.RealContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A connection whose greeting is complete, and for which there is no memory. */
class GreetingTest {

  private final List<String> refused = new ArrayList<>();

  @Test
  void whoCannotGetAnEndpointIsRefusedAndForgotten() {
    EmbeddedChannel channel = new EmbeddedChannel();
    try (RealContext context = new RealContext()) {
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
      new TcpConnection(owner, new TcpCore(context, null), 1_000).install(channel, null);
      channel.pipeline().fireChannelActive();
      ByteBuf preamble = Unpooled.buffer();
      TcpPreamble.put(preamble);
      channel.writeInbound(preamble);

      assertFalse(channel.isOpen());
      assertEquals(0, preamble.refCnt());
      assertEquals(1, refused.size());
      assertEquals(
          "the connection to nobody yet failed: java.lang.OutOfMemoryError: Direct buffer memory",
          refused.get(0));
    } finally {
      channel.finishAndReleaseAll();
    }
  }
}
