package io.railflux.fabric.tcp;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslHandler;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;

/**
 * An open listening point. Who connects is nobody until he has greeted; of those only so many are kept,
 * and when more come the oldest go: a peer greets at once, a flood never does.
 */
@SuppressWarnings("FutureReturnValueIgnored") // What fails ends the channel, which tells.
final class TcpListening implements Fabric.Listening, TcpConnection.Owner {

  /** Who comes when it is full hears nothing for seconds; the kernel may allow less. */
  private static final int BACKLOG = 1_024;

  private static final int MAX_GREETING = 1_024;

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
        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, TcpFabric.UNSENT)
        .handler(unpaced(address.getAddress()))
        .childHandler(listening.initializer())
        .bind(address);
    // Registering and binding are tasks of the loop's.
    fabric.core().context().pollIo();
    if (!bound.isSuccess()) {
      if (bound.channel().isRegistered()) {
        bound.channel().close();
      }
      String reason =
          bound.cause() == null ? "it takes too long" : TcpConnection.text(bound.cause());
      throw new IOException("cannot listen at " + at + ": " + reason, bound.cause());
    }
    listening.server = bound.channel();
    int port = ((InetSocketAddress) listening.server.localAddress()).getPort();
    listening.location = at.withPort(port);
    return listening;
  }

  private static ChannelInitializer<Channel> unpaced(InetAddress address) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel server) {
        LoopbackCongestion.unpaced(server, address);
      }
    };
  }

  private ChannelInitializer<Channel> initializer() {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        if (greeting.size() == MAX_GREETING) {
          greeting.peek().refuse("more than " + MAX_GREETING + " have not greeted");
        }
        SslHandler tls =
            fabric.core().tls() == null ? null : fabric.core().tls().accept();
        TcpConnection connection =
            new TcpConnection(TcpListening.this, fabric.core(), TcpFabric.GREETING_MILLIS);
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
    fabric.forget(this);
    fabric.core().context().pollIo();
  }
}
