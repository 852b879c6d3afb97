package io.railflux.fabric.tcp;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslHandler;
import io.railflux.buffer.OpenFiles;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.tcp.frames.FrameWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * An open listener. A bounded number of connections may wait for their preamble; beyond it the oldest ones are
 * closed, because peers greet at once and floods never do.
 */
@SuppressWarnings("FutureReturnValueIgnored") // A failure closes the channel, which reports it.
final class TcpListening implements Fabric.Listening, TcpConnection.Owner {

  /** Connections beyond it see no reply for seconds; the kernel may permit fewer. */
  private static final int BACKLOG = 1_024;

  /** Time until the next accept after a failure, in milliseconds. */
  private static final long PAUSE_MILLIS = 1_000;

  private static final int MAX_GREETING = 1_024;

  private final OpenFiles files = new OpenFiles();
  private final TcpFabric fabric;
  private final FabricListener listener;
  private Channel server;
  private TcpLocation location;
  private final ArrayDeque<TcpConnection> greeting = new ArrayDeque<>();

  private TcpListening(TcpFabric fabric, FabricListener listener) {
    this.fabric = fabric;
    this.listener = listener;
  }

  static TcpListening open(TcpFabric fabric, FabricListener listener, TcpLocation at)
      throws IOException {
    if (fabric.core().tls() != null && !fabric.core().tls().canAccept()) {
      throw new IOException("cannot listen at " + at
          + ": TLS is on and this node has no certificate; give it one with Tls.identity(...)");
    }
    TcpListening listening = new TcpListening(fabric, listener);
    InetSocketAddress address = at.toBind();
    ChannelFuture bound = new ServerBootstrap()
        .group(fabric.core().loop())
        .channel(fabric.core().serverType())
        .option(ChannelOption.SO_BACKLOG, BACKLOG)
        .option(ChannelOption.SO_REUSEADDR, true)
        .childOption(ChannelOption.ALLOCATOR, fabric.core().allocator())
        .childOption(ChannelOption.TCP_NODELAY, true)
        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, FrameWriter.UNSENT)
        .handler(listening.prepared(address.getAddress()))
        .childHandler(listening.initializer())
        .bind(address);
    // Registration and bind are tasks of the loop.
    fabric.core().context().pollIo();
    if (!bound.isSuccess()) {
      if (bound.channel().isRegistered()) {
        bound.channel().close();
      }
      throw new IOException("cannot listen at " + at + ": " + reason(bound.cause()), bound.cause());
    }
    listening.files.keep();
    listening.server = bound.channel();
    int port = ((InetSocketAddress) listening.server.localAddress()).getPort();
    listening.location = at.withPort(port);
    return listening;
  }

  private static String reason(@Nullable Throwable cause) {
    if (cause == null) {
      return "it takes too long";
    }
    String text = TcpConnection.text(cause);
    return text.contains("Address already in use")
        ? "another process listens there (" + text + "); choose another port, or end that process"
        : text;
  }

  private ChannelInitializer<Channel> prepared(InetAddress address) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel server) {
        LoopbackCongestion.unpaced(server, address);
        server.pipeline().addLast(new AcceptTrouble());
      }
    };
  }

  /** A waiting connection would wake the loop again at once. */
  private final class AcceptTrouble extends ChannelInboundHandlerAdapter {

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      boolean atOnce = OpenFiles.areTooMany(cause) && files.giveUp();
      String reason = TcpConnection.text(cause);
      fabric.core().later(() -> listener.onShortage("tcp:" + location, reason));
      ChannelConfig config = context.channel().config();
      if (config.isAutoRead()) {
        config.setAutoRead(false);
        context
            .executor()
            .schedule(() -> config.setAutoRead(true), atOnce ? 1 : PAUSE_MILLIS, MILLISECONDS);
      }
    }
  }

  private ChannelInitializer<Channel> initializer() {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        if (greeting.size() == MAX_GREETING) {
          greeting
              .peek()
              .refuse("more than " + MAX_GREETING + " connections have sent no preamble");
        }
        SslHandler tls =
            fabric.core().tls() == null ? null : fabric.core().tls().accept();
        TcpConnection connection =
            new TcpConnection(TcpListening.this, fabric.core(), TcpFabric.GREETING_MILLIS);
        if (!files.keep()) {
          connection.isLast();
          channel.closeFuture().addListener(closed -> files.keep());
        }
        greeting.add(connection);
        connection.install(channel, tls);
      }
    };
  }

  @Override
  public String location() {
    return location.toString();
  }

  @Override
  public TcpEndpoint onGreeted(TcpConnection connection) {
    greeting.remove(connection);
    return fabric.add(connection, listener, -1);
  }

  @Override
  public void onRefused(TcpConnection connection, String reason) {
    greeting.remove(connection);
    String host = connection.remoteHost();
    String description = connection.remoteDescription();
    fabric.core().later(() -> listener.onStranger(host, description, reason));
  }

  @Override
  public void close() {
    server.close();
    files.close();
    fabric.forget(this);
    fabric.core().context().pollIo();
  }
}
