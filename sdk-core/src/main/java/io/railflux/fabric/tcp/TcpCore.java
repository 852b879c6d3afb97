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
import io.railflux.buffer.DirectMemory;
import io.railflux.fabric.Completion;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.tcp.frames.ReusedBuffers;
import java.util.ArrayDeque;

/** Shared state of one fabric. Engine thread only. */
final class TcpCore {

  /** Each refused connection keeps a descriptor until its peer closes, at most a second. */
  private static final int MAX_REFUSED = 64;

  /** Buffers for refused connections while other connections hold theirs. */
  private static final int SPARE_BUFFERS = 2;

  private final FabricContext context;
  private final IoEventLoop loop;
  private final boolean epoll;
  private final ReusedBuffers outgoing = ReusedBuffers.ofBytes(64 * 1024, DirectMemory.OF_JVM);
  private final ReusedBuffers incoming = ReusedBuffers.ofBytes(128 * 1024, DirectMemory.OF_JVM);
  private final TcpPreamble preamble = new TcpPreamble();
  private final TlsContexts tls;
  private final Completion completion = new Completion();
  private final ArrayDeque<TcpConnection> refused = new ArrayDeque<>(MAX_REFUSED);
  private final ArrayDeque<Runnable> events = new ArrayDeque<>();
  private long lastEndpoint;
  private boolean armed;

  /** @param tls null for connections without TLS */
  TcpCore(FabricContext context, TlsContexts tls) {
    this.context = context;
    this.tls = tls;
    this.loop = context.socketLoop().as(IoEventLoop.class).orElseThrow();
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

  /** Returns the completion that all callbacks reuse. */
  Completion completion() {
    return completion;
  }

  TcpPreamble preamble() {
    return preamble;
  }

  TlsContexts tls() {
    return tls;
  }

  /** Returns the allocator for bytes that use neither {@link #incoming} nor {@link #outgoing}. */
  ByteBufAllocator allocator() {
    return tls == null ? UnpooledByteBufAllocator.DEFAULT : tls.allocator();
  }

  /**
   * Reserves buffers so that each of the connections can always send and read. A read ends before the next one
   * begins, so two buffers suffice for reads.
   */
  void reserveBuffers(int connections) {
    outgoing.reserve(connections + SPARE_BUFFERS);
    incoming.reserve(SPARE_BUFFERS);
  }

  ReusedBuffers outgoing() {
    return outgoing;
  }

  ReusedBuffers incoming() {
    return incoming;
  }

  /** Closes a refused connection after its peer has had time to read the reason, unless many others wait. */
  @SuppressWarnings("FutureReturnValueIgnored") // The future has its own listener.
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

  /** Defers an event to the next poll. */
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

  /** Wakes the engine once. */
  void wake() {
    if (armed) {
      armed = false;
      context.wakeUp();
    }
  }
}
