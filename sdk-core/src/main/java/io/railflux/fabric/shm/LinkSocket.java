package io.railflux.fabric.shm;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.IoEventLoop;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The socket of one connection: first for the handshake, then as doorbell and as proof of life. The
 * kernel closes it when the peer's process ends, whatever ended it. Engine thread only.
 */
final class LinkSocket extends ChannelInboundHandlerAdapter {

  private final Channel channel;
  private final Runnable onReady;
  private final ByteBuf bell =
      Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(1)));
  private final ByteBuffer input =
      ByteBuffer.allocate(HandshakeMessage.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private boolean ended;
  // Null while the handshake lasts, and where there is no epoll.
  private EdgeBell edges;

  /**
   * @param channel connected
   * @param onReady runs when the peer sent something, a message or doorbells, and when it has gone
   */
  LinkSocket(Channel channel, Runnable onReady) {
    this.channel = channel;
    this.onReady = onReady;
  }

  /** Whether the peer's end is closed. */
  boolean ended() {
    return ended;
  }

  /** Sends a handshake message; a fresh socket's buffer has room for it. */
  void send(HandshakeMessage message) throws IOException {
    ByteBuffer output = ByteBuffer.allocateDirect(HandshakeMessage.BYTES);
    message.encode(output.order(ByteOrder.LITTLE_ENDIAN));
    ChannelFuture sent = channel.writeAndFlush(Unpooled.wrappedBuffer(output));
    if (sent.cause() instanceof IOException e) {
      throw e;
    }
    if (!sent.isSuccess()) {
      throw new IOException("the socket has no room for a handshake", sent.cause());
    }
  }

  /**
   * The handshake's message; what follows it are doorbells.
   *
   * @return the message, or {@code null} while it is incomplete
   */
  HandshakeMessage received() throws IOException {
    if (!input.hasRemaining()) {
      return HandshakeMessage.decode(input);
    }
    if (ended) {
      throw new IOException("the connection was closed during the handshake");
    }
    return null;
  }

  /** The handshake is over: what comes from now on are doorbells. */
  void expectBells(IoEventLoop loop) {
    if (channel instanceof EpollDomainSocketChannel epoll) {
      edges = new EdgeBell(epoll, loop, onReady, this::end);
      edges.takeOver();
    }
  }

  /** Whether epoll tells of doorbells without their being read. */
  boolean byEdges() {
    return edges != null && edges.ready();
  }

  /**
   * This side is about to ask the peer to ring, and to sleep.
   *
   * @param asked how often it asked so far, for whatever reason
   */
  void makeRoom(int asked) {
    if (byEdges()) {
      edges.makeRoom(asked);
    }
  }

  /**
   * Wakes the peer. When the socket has no room there is an unread byte, which wakes as well: the peer reads, or
   * {@linkplain EdgeBell sees to it}.
   *
   * <p>No order needed: the kernel's socket lock puts all earlier stores before the peer's wake-up.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // A doorbell that fails ends the channel.
  void ring() {
    if (ended) {
      return;
    }
    if (byEdges()) {
      edges.ring();
    } else if (channel.isWritable()) {
      channel.writeAndFlush(bell.setIndex(0, 1), channel.voidPromise());
    }
  }

  void close() {
    if (byEdges()) {
      edges.close();
    } else {
      DomainSockets.close(channel);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object read) {
    ByteBuf bytes = (ByteBuf) read;
    int wanted = Math.min(input.remaining(), bytes.readableBytes());
    bytes.readBytes(input.limit(input.position() + wanted));
    input.limit(input.capacity());
    bytes.release();
    onReady.run();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    end();
  }

  private void end() {
    if (!ended) {
      ended = true;
      if (byEdges()) {
        // As a channel does by itself; the endpoint may stay until its peer comes back.
        edges.close();
      }
      onReady.run();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    DomainSockets.close(channel);
  }
}
