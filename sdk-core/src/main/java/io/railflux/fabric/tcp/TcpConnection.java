package io.railflux.fabric.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.unix.UnixChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.ScheduledFuture;
import io.railflux.fabric.Protection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.util.concurrent.TimeUnit;

/**
 * A socket on its way through life. The table of its phases:
 *
 * <pre>
 *   GREETING  --preamble of the peer-->      OPEN
 *   GREETING  --stranger, time, loss-->      ENDED
 *   OPEN      --closeGently-->               LEAVING   what was sent still arrives; input is dropped
 *   OPEN      --abort, loss-->               ENDED
 *   LEAVING   --end of input, time, loss-->  ENDED
 * </pre>
 */
@SuppressWarnings("FutureReturnValueIgnored") // What fails ends the channel, which tells.
final class TcpConnection extends ChannelInboundHandlerAdapter {

  /** Hears how the greeting went: exactly one of both, once. */
  interface Owner {

    /** Returns the endpoint that takes it from here. */
    TcpEndpoint onGreeted(TcpConnection connection);

    void onRefused(TcpConnection connection, String reason);
  }

  private enum Phase {
    GREETING,
    OPEN,
    LEAVING,
    ENDED
  }

  private static final long LEAVING_MILLIS = 1_000;

  private final Owner owner;
  private final TcpCore core;
  private final long greetingMillis;
  private final ByteBuf greeting = Unpooled.buffer(TcpPreamble.BYTES, TcpPreamble.BYTES);
  private Phase phase = Phase.GREETING;
  private Channel channel;
  private boolean encrypted;
  private PayloadAllocator payloads;
  private HotSocket hot;
  private ScheduledFuture<?> bound;
  private TcpEndpoint endpoint;
  private TcpLocation remote;
  private Protection protection = Protection.NONE;

  /** @param greetingMillis how long the peer may take for its preamble */
  TcpConnection(Owner owner, TcpCore core, long greetingMillis) {
    this.owner = owner;
    this.core = core;
    this.greetingMillis = greetingMillis;
  }

  Channel channel() {
    return channel;
  }

  String remoteDescription() {
    return remote == null ? "nobody yet" : remote + " over tcp";
  }

  String remoteHost() {
    return remote == null ? remoteDescription() : remote.host();
  }

  Protection protection() {
    return protection;
  }

  /** Puts this at the end of the socket's pipeline, behind TLS where there is any. */
  void install(Channel socket, SslHandler tls) {
    encrypted = tls != null;
    if (encrypted) {
      tls.setHandshakeTimeoutMillis(greetingMillis);
      socket.pipeline().addLast(tls);
    } else {
      payloads = new PayloadAllocator(this, core.incoming());
      socket.config().setRecvByteBufAllocator(payloads);
      if (socket instanceof UnixChannel descriptor) {
        hot = new HotSocket(descriptor.fd(), core.incoming());
      }
    }
    socket.pipeline().addLast(this);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    channel = context.channel();
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    if (channel.remoteAddress() instanceof InetSocketAddress address) {
      remote = new TcpLocation(address.getAddress().getHostAddress(), address.getPort());
      protection = TcpLocation.protection(address.getAddress());
    }
    ByteBuf preamble = Unpooled.directBuffer(TcpPreamble.BYTES);
    TcpPreamble.put(preamble);
    channel.writeAndFlush(preamble, channel.voidPromise());
    bound = channel
        .eventLoop()
        .schedule(
            () -> refuse("no greeting within " + greetingMillis + " ms"),
            greetingMillis,
            TimeUnit.MILLISECONDS);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshake) {
      if (handshake.isSuccess()) {
        SslHandler tls = context.pipeline().get(SslHandler.class);
        protection = TlsContexts.protection(tls.engine().getSession());
      } else {
        refuse("TLS: " + text(handshake.cause()));
      }
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf input = (ByteBuf) message;
    if (phase == Phase.GREETING) {
      try {
        greet(input);
      } catch (Throwable e) {
        // For want of memory for the endpoint, for one: it ends as one that has not greeted.
        input.release();
        throw e;
      }
    }
    if (hot != null) {
      hot.heard(input.readableBytes(), core.context().nowNanos());
    }
    if (phase != Phase.OPEN) {
      input.release();
    } else if (payloads == null || !payloads.tookDirectly(input)) {
      endpoint.reader().read(input);
      stopIfWaiting();
    }
  }

  /** Ends the connection when that throws, as the channel's pipeline would. */
  private void take(ByteBuf input) {
    try {
      endpoint.reader().read(input);
      wasRead();
    } catch (RuntimeException e) {
      exceptionCaught(null, e);
    }
  }

  private void greet(ByteBuf input) {
    greeting.writeBytes(input, Math.min(greeting.writableBytes(), input.readableBytes()));
    if (greeting.isWritable()) {
      return;
    }
    String objection = TcpPreamble.objection(greeting);
    if (objection != null) {
      refuse(objection);
      return;
    }
    endpoint = owner.onGreeted(this);
    bound.cancel(false);
    phase = Phase.OPEN;
  }

  /** Ends it unless the peer has greeted. */
  void refuse(String reason) {
    if (phase == Phase.GREETING) {
      phase = Phase.ENDED;
      cancelBound();
      channel.close();
      owner.onRefused(this, reason);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    wasRead();
  }

  private void wasRead() {
    if (phase == Phase.OPEN) {
      endpoint.onRead();
      stopIfWaiting();
    }
  }

  private void stopIfWaiting() {
    if (phase == Phase.OPEN && endpoint.reader().isWaiting()) {
      channel.config().setAutoRead(false);
    }
  }

  /** Looks at the socket itself if that pays; returns whether it did. */
  boolean readAtOnce(long nowNanos) {
    if (hot == null
        || phase != Phase.OPEN
        || !endpoint.reader().isBetweenFrames()
        || !hot.isDue(nowNanos)) {
      return false;
    }
    ByteBuf input = hot.read();
    if (input != null) {
      hot.heard(input.readableBytes(), nowNanos);
      take(input);
    }
    return true;
  }

  /** What waited was taken. */
  void readOn() {
    channel.config().setAutoRead(true);
  }

  /** The endpoint's reader, while it takes payloads; else null. */
  FrameReader openReader() {
    return phase == Phase.OPEN ? endpoint.reader() : null;
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (phase == Phase.OPEN && channel.isWritable()) {
      endpoint.pump();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    ended("the connection to " + remoteDescription() + " was closed by the peer");
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    ended("the connection to " + remoteDescription() + " failed: " + text(cause));
    channel.close();
  }

  static String text(Throwable cause) {
    String message = cause.getMessage();
    if (cause instanceof NoRouteToHostException && message != null) {
      // Netty adds the address to words that epoll has none of.
      return message.replaceFirst("^null:", "no route to host:");
    }
    return cause instanceof IOException && message != null ? message : cause.toString();
  }

  private void ended(String reason) {
    refuse(reason);
    if (phase == Phase.OPEN) {
      phase = Phase.ENDED;
      endpoint.connectionLost(reason);
    } else if (phase == Phase.LEAVING) {
      phase = Phase.ENDED;
      cancelBound();
    }
  }

  /** Whether bytes are encrypted as they are flushed. */
  boolean isEncrypted() {
    return encrypted;
  }

  /** What was sent still arrives, unless the peer takes too long. */
  void closeGently() {
    if (phase != Phase.OPEN) {
      return;
    }
    phase = Phase.LEAVING;
    channel.config().setAutoRead(true);
    bound =
        channel.eventLoop().schedule(() -> channel.close(), LEAVING_MILLIS, TimeUnit.MILLISECONDS);
    channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener((ChannelFutureListener) written -> {
      if (!encrypted && channel instanceof DuplexChannel socket) {
        socket.shutdownOutput();
      } else {
        // Says so in TLS, too: an end without a word could be anybody's.
        channel.close();
      }
    });
  }

  /** Nothing of what was sent and has not arrived will; the peer hears of it if it can be reached. */
  void abort() {
    phase = Phase.ENDED;
    cancelBound();
    if (channel.isActive()) {
      channel.config().setOption(ChannelOption.SO_LINGER, 0);
    }
    // Past TLS, which would wait for seconds until its goodbye has left.
    channel.unsafe().close(channel.unsafe().voidPromise());
  }

  private void cancelBound() {
    if (bound != null) {
      bound.cancel(false);
    }
  }
}
