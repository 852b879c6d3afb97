package io.railflux.fabric.tcp;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.IoEventLoop;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.railflux.fabric.Completion;
import io.railflux.fabric.FabricContext;
import java.util.ArrayDeque;

/** What the parts of one fabric share. Engine thread only. */
final class TcpCore {

  /** Each takes a descriptor until its peer has closed, or a second. */
  private static final int MAX_REFUSED = 64;

  private final FabricContext context;
  private final IoEventLoop loop;
  private final boolean epoll;
  private final ReusedBuffers outgoing = ReusedBuffers.ofBytes(64 * 1024);
  private final ReusedBuffers incoming = ReusedBuffers.ofBytes(128 * 1024);
  private final TlsContexts tls;
  private final Completion completion = new Completion();
  private final ArrayDeque<TcpConnection> refused = new ArrayDeque<>(MAX_REFUSED);
  private final ArrayDeque<Runnable> events = new ArrayDeque<>();
  private long lastEndpoint;
  private boolean armed;

  /** @param tls null for connections in the clear */
  TcpCore(FabricContext context, TlsContexts tls) {
    this.context = context;
    this.tls = tls;
    this.loop = context.eventLoop();
    this.epoll = loop.isIoType(EpollIoHandler.class);
  }

  FabricContext context() {
    return context;
  }

  IoEventLoop loop() {
    return loop;
  }

  Class<? extends Channel> channelType() {
    return epoll ? EpollSocketChannel.class : NioSocketChannel.class;
  }

  Class<? extends ServerChannel> serverType() {
    return epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
  }

  /** Reused for every callback. */
  Completion completion() {
    return completion;
  }

  TlsContexts tls() {
    return tls;
  }

  /** For what is not read into {@link #incoming} nor written from {@link #outgoing}. */
  ByteBufAllocator allocator() {
    return tls == null ? UnpooledByteBufAllocator.DEFAULT : tls.allocator();
  }

  ReusedBuffers outgoing() {
    return outgoing;
  }

  ReusedBuffers incoming() {
    return incoming;
  }

  /** What was sent to it last says what it did; it gets to read that, unless many others wait, too. */
  @SuppressWarnings("FutureReturnValueIgnored") // It is the future listened to.
  void closeRefused(TcpConnection connection) {
    if (refused.size() == MAX_REFUSED) {
      refused.remove().abort();
    }
    refused.add(connection);
    connection.closeGently();
    connection.channel().closeFuture().addListener((ChannelFutureListener)
        closed -> refused.remove(connection));
  }

  void close() {
    outgoing.close();
    incoming.close();
    if (tls != null) {
      tls.close();
    }
  }

  long nextEndpointId() {
    return ++lastEndpoint;
  }

  /** To be told by the next poll. */
  void later(Runnable event) {
    events.add(event);
    wake();
  }

  Runnable nextEvent() {
    return events.poll();
  }

  boolean isArmed() {
    return armed;
  }

  void arm(boolean on) {
    armed = on;
  }

  /** Something happened; one-shot. */
  void wake() {
    if (armed) {
      armed = false;
      context.wakeUp();
    }
  }
}
