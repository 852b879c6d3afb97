package io.railflux.fabric.shm.socket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.IoEventLoop;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A channel of Netty during the handshake, then an {@link EdgeBell} where possible. */
public final class EpollLink extends LinkSocket {

  private final EpollDomainSocketChannel channel;
  private final IoEventLoop loop;
  private final Runnable onReady;
  private final EdgeBell.Buffers buffers;
  private final ByteBuf bell;
  // Null during the handshake.
  private EdgeBell edges;

  public EpollLink(
      EpollDomainSocketChannel channel,
      IoEventLoop loop,
      EdgeBell.Buffers buffers,
      Runnable onReady) {
    super(onReady);
    this.channel = channel;
    this.loop = loop;
    this.buffers = buffers;
    this.bell =
        Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(buffers.bell().duplicate()));
    this.onReady = onReady;
  }

  public ChannelHandler handler() {
    return new Handler();
  }

  @Override
  public void send(ByteBuffer message) throws IOException {
    // A failed write leaves the channel open, so that earlier bytes of the peer are still read.
    channel.config().setAutoClose(false);
    ChannelFuture sent = channel.writeAndFlush(Unpooled.wrappedBuffer(message));
    channel.config().setAutoClose(true);
    if (sent.cause() instanceof IOException e) {
      throw new DomainSockets.Gone(e);
    }
    if (!sent.isSuccess()) {
      throw new IOException("the socket has no room for a handshake", sent.cause());
    }
  }

  @Override
  public void expectBells() {
    edges = new EdgeBell(channel, loop, buffers, onReady, this::end);
    edges.takeOver();
  }

  /** Whether epoll reports doorbells without reads. */
  public boolean byEdges() {
    return edges != null && edges.ready();
  }

  @Override
  public void makeRoom(int asked) {
    if (byEdges()) {
      edges.makeRoom(asked);
    }
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // A failed doorbell ends the channel.
  public void ring() {
    if (ended()) {
      return;
    }
    if (byEdges()) {
      edges.ring();
    } else if (channel.isWritable()) {
      channel.writeAndFlush(bell.setIndex(0, 1), channel.voidPromise());
    }
  }

  /** A reading channel closes itself. */
  @Override
  public void onEnd() {
    if (byEdges()) {
      edges.close();
    }
  }

  @Override
  public void close() {
    if (byEdges()) {
      edges.close();
    } else {
      EpollSockets.close(channel);
    }
  }

  private final class Handler extends ChannelInboundHandlerAdapter {

    @Override
    public void channelRead(ChannelHandlerContext context, Object read) {
      ByteBuf bytes = (ByteBuf) read;
      bytes.readBytes(lacking(bytes.readableBytes()));
      bytes.release();
      arrived();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      end();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      EpollSockets.close(channel);
    }
  }
}
