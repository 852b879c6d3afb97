package io.railflux.fabric.tcp;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.railflux.fabric.FabricListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** One attempt to reach a peer: its name is looked up, then each of its addresses is tried in order. */
final class TcpConnecting implements TcpConnection.Owner {

  private static final int CONNECT_MILLIS = 3_000;

  private final TcpFabric fabric;
  private final FabricListener listener;
  private final String target;
  private final long attempt;
  private final ArrayDeque<InetSocketAddress> addresses = new ArrayDeque<>();
  private final List<String> failures = new ArrayList<>();
  private TcpLocation location;

  TcpConnecting(TcpFabric fabric, FabricListener listener, String target, long attempt) {
    this.fabric = fabric;
    this.listener = listener;
    this.target = target;
    this.attempt = attempt;
  }

  void begin() {
    try {
      location = TcpLocation.parse(target);
      InetAddress literal = location.literal();
      if (literal != null) {
        found(List.of(literal));
      } else {
        lookUp();
      }
    } catch (IOException e) {
      failed(e.getMessage());
    }
  }

  /** Name services answer when they like: a thread of its own waits for that. */
  private void lookUp() {
    Thread thread = new Thread(
        () -> {
          try {
            List<InetAddress> found = location.lookUp();
            fabric.core().loop().execute(() -> found(found));
          } catch (UnknownHostException e) {
            fabric.core().loop().execute(() -> failed("no such host: " + location.host()));
          }
        },
        "railflux-lookup");
    thread.setDaemon(true);
    thread.start();
  }

  private void found(List<InetAddress> hosts) {
    hosts.forEach(host -> addresses.add(new InetSocketAddress(host, location.port())));
    next();
  }

  private void next() {
    if (fabric.isClosed()) {
      return;
    }
    InetSocketAddress address = addresses.poll();
    if (address == null) {
      failed(String.join("; ", failures));
      return;
    }
    ChannelFuture connected = new Bootstrap()
        .group(fabric.core().loop())
        .channel(fabric.core().channelType())
        .disableResolver()
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
        .option(ChannelOption.ALLOCATOR, fabric.core().allocator())
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.WRITE_BUFFER_WATER_MARK, TcpFabric.UNSENT)
        .handler(initializer(address.getAddress()))
        .connect(address);
    if (connected.cause() != null) {
      // For want of a file descriptor, for one: such a channel has no loop, and a listener would
      // run elsewhere.
      again(TcpConnection.text(connected.cause()));
      return;
    }
    fabric.track(connected.channel());
    connected.addListener((ChannelFutureListener) future -> {
      if (!future.isSuccess()) {
        again(TcpConnection.text(future.cause()));
      }
    });
  }

  private ChannelInitializer<Channel> initializer(InetAddress address) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        LoopbackCongestion.unpaced(channel, address);
        TlsContexts tls = fabric.core().tls();
        new TcpConnection(TcpConnecting.this, fabric.core(), TcpFabric.GREETING_MILLIS)
            .install(channel, tls == null ? null : tls.connect(location.host(), location.port()));
      }
    };
  }

  private void again(String reason) {
    failures.add(reason);
    next();
  }

  @Override
  public TcpEndpoint onGreeted(TcpConnection connection) {
    TcpEndpoint endpoint = fabric.add(connection, listener, attempt);
    fabric.attempted();
    return endpoint;
  }

  @Override
  public void onRefused(TcpConnection connection, String reason) {
    again(reason);
  }

  private void failed(String reason) {
    fabric.attempted();
    String text = "cannot connect to tcp:" + target + ": " + reason;
    fabric.core().later(() -> listener.onConnectFailed(attempt, text));
  }
}
