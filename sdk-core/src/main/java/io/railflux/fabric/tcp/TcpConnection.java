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
import io.railflux.buffer.OpenFiles;
import io.railflux.fabric.Checksum;
import io.railflux.fabric.Protection;
import io.railflux.fabric.tcp.frames.FrameChecksum;
import io.railflux.fabric.tcp.frames.FrameReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.util.concurrent.TimeUnit;

/**
 * The life of a socket. Its phases:
 *
 * <pre>
 *   GREETING  --preamble, options of peer--> OPEN
 *   GREETING  --stranger, time, loss-->      ENDED
 *   OPEN      --closeGently-->               LEAVING   sent bytes still arrive; input is dropped
 *   OPEN      --abort, loss-->               ENDED
 *   LEAVING   --end of input, time, loss-->  ENDED
 * </pre>
 */
@SuppressWarnings("FutureReturnValueIgnored") // A failure closes the channel, which reports it.
final class TcpConnection extends ChannelInboundHandlerAdapter {

  /** Receives the result of the greeting: exactly one of both methods is called, once. */
  interface Owner {

    /** Returns the endpoint of the connection. */
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
  private final ByteBuf greeting =
      Unpooled.buffer(TcpPreamble.WITH_OPTIONS_BYTES, TcpPreamble.WITH_OPTIONS_BYTES);
  private Phase phase = Phase.GREETING;
  private Channel channel;
  private boolean encrypted;
  private boolean optionsSent;
  private boolean checksummed;
  private boolean last;
  private PayloadAllocator payloads;
  private HotSocket hot;
  private ScheduledFuture<?> bound;
  private TcpEndpoint endpoint;
  private TcpLocation remote;
  private Protection protection = Protection.NONE;

  /** @param greetingMillis time for the preamble of the peer, in milliseconds */
  TcpConnection(Owner owner, TcpCore core, long greetingMillis) {
    this.owner = owner;
    this.core = core;
    this.greetingMillis = greetingMillis;
  }

  Channel channel() {
    return channel;
  }

  String remoteDescription() {
    return remote == null ? "an unknown peer" : remote + " over tcp";
  }

  String remoteHost() {
    return remote == null ? remoteDescription() : remote.host();
  }

  Protection protection() {
    return protection;
  }

  /** The connection has the last file descriptor of the process. */
  void isLast() {
    last = true;
  }

  String shortage() {
    return last ? OpenFiles.SHORTAGE : null;
  }

  /** Appends this handler to the pipeline of the socket, behind TLS if present. */
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
    channel.writeAndFlush(core.preamble().message(), channel.voidPromise());
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
        // Happens without memory for the endpoint; the connection ends as without a greeting.
        input.release();
        throw e;
      }
    }
    if (hot != null) {
      hot.received(input.readableBytes(), core.context().nowNanos());
    }
    if (phase != Phase.OPEN) {
      input.release();
    } else if (payloads == null || !payloads.tookDirectly(input)) {
      endpoint.reader().read(input);
      stopIfWaiting();
    }
  }

  /** A thrown exception ends the connection, as in the pipeline of the channel. */
  private void take(ByteBuf input) {
    try {
      endpoint.reader().read(input);
      wasRead();
    } catch (Throwable e) {
      exceptionCaught(null, e);
    }
  }

  private void greet(ByteBuf input) {
    if (!isRead(input, TcpPreamble.BYTES)) {
      return;
    }
    String objection = TcpPreamble.objection(greeting);
    if (objection != null) {
      refuse(objection);
    } else if (TcpPreamble.version(greeting) >= TcpPreamble.VERSION_WITH_OPTIONS) {
      takeOptions(input);
    } else if (wish() == Checksum.REQUIRED) {
      refuse(
          "its version has no checksums, and this node requires them: update it, or use Checksum.PREFERRED");
    } else {
      greeted();
    }
  }

  /** Reads missing bytes up to a total; returns whether they are complete. */
  private boolean isRead(ByteBuf input, int bytes) {
    int missing = Math.max(0, bytes - greeting.readableBytes());
    greeting.writeBytes(input, Math.min(missing, input.readableBytes()));
    return greeting.readableBytes() >= bytes;
  }

  private void takeOptions(ByteBuf input) {
    boolean asked = wish().isAsked();
    if (!optionsSent) {
      optionsSent = true;
      channel.writeAndFlush(core.preamble().options(asked), channel.voidPromise());
    }
    if (!isRead(input, TcpPreamble.WITH_OPTIONS_BYTES)) {
      return;
    }
    if (TcpPreamble.isIntact(greeting)) {
      checksummed = asked || TcpPreamble.asksForChecksums(greeting);
      greeted();
    } else {
      refuse("the checksum of its preamble did not match: bytes changed in transit");
    }
  }

  private Checksum wish() {
    return core.context().checksum(protection);
  }

  private void greeted() {
    endpoint = owner.onGreeted(this);
    bound.cancel(false);
    phase = Phase.OPEN;
  }

  /** Whether frames carry checksums; constant after the greeting. */
  boolean isChecksummed() {
    return checksummed;
  }

  /** Creates the checksum of one direction; null for frames without checksums. */
  FrameChecksum newChecksum() {
    return checksummed ? new FrameChecksum() : null;
  }

  /** Ends the connection unless the greeting is complete. */
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

  /** Reads the socket directly if that is worthwhile; returns whether it did. */
  boolean readAtOnce(long nowNanos) {
    if (hot == null
        || phase != Phase.OPEN
        || !endpoint.reader().isBetweenFrames()
        || !hot.isDue(nowNanos)) {
      return false;
    }
    ByteBuf input = hot.read();
    if (input != null) {
      hot.received(input.readableBytes(), nowNanos);
      take(input);
    }
    return true;
  }

  /** The waiting frame was processed. */
  void readOn() {
    channel.config().setAutoRead(true);
  }

  /** Returns the reader of the endpoint while it accepts payloads, otherwise null. */
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
    if (OpenFiles.areTooMany(cause)) {
      return OpenFiles.SHORTAGE;
    }
    String message = cause.getMessage();
    if (cause instanceof NoRouteToHostException && message != null) {
      // Netty appends the address to texts of NIO; texts of epoll lack it.
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

  /** Whether flushed bytes are encrypted. */
  boolean isEncrypted() {
    return encrypted;
  }

  /** Sent bytes still arrive, unless the peer takes too long. */
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
        // Closes TLS properly, because an end without notification could come from an attacker.
        channel.close();
      }
    });
  }

  /** Bytes that have not arrived are lost; a reachable peer is notified. */
  void abort() {
    phase = Phase.ENDED;
    cancelBound();
    if (channel.isActive()) {
      channel.config().setOption(ChannelOption.SO_LINGER, 0);
    }
    // Bypasses TLS, which would wait for its close notification for seconds.
    channel.unsafe().close(channel.unsafe().voidPromise());
  }

  private void cancelBound() {
    if (bound != null) {
      bound.cancel(false);
    }
  }
}
