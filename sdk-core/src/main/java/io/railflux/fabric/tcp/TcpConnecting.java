package io.railflux.fabric.tcp;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.tcp.frames.FrameWriter;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * One attempt to reach a peer. It resolves the name and races the addresses (RFC 8305): the next address starts when
 * the former one fails, or has no preamble after a while. The first peer that sends its preamble wins.
 */
final class TcpConnecting implements TcpConnection.Owner {

  private static final int CONNECT_MILLIS = 3_000;

  /** Recommended by RFC 8305. */
  private static final int HEAD_START_MILLIS = 250;

  /** Resolves names; may block. */
  interface NameService {
    List<InetAddress> lookUp(TcpLocation location) throws UnknownHostException;
  }

  private final TcpFabric fabric;
  private final NameService names;
  private final FabricListener listener;
  private final String target;
  private final long attempt;
  private final ArrayDeque<InetSocketAddress> addresses = new ArrayDeque<>();
  private final List<TcpConnection> racing = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private TcpLocation location;
  private ScheduledFuture<?> headStart;
  private boolean won;

  TcpConnecting(
      TcpFabric fabric, NameService names, FabricListener listener, String target, long attempt) {
    this.fabric = fabric;
    this.names = names;
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

  /** Resolves the name on a separate thread, because name services may block. */
  private void lookUp() {
    Thread thread = new Thread(
        () -> {
          try {
            List<InetAddress> found = names.lookUp(location);
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
    interleaved(hosts).forEach(host -> addresses.add(new InetSocketAddress(host, location.port())));
    next();
  }

  /** Alternates the address families, so that an unreachable family does not come first as a whole. */
  static List<InetAddress> interleaved(List<InetAddress> hosts) {
    List<InetAddress> first = new ArrayList<>(hosts);
    first.removeIf(host -> !host.getClass().equals(hosts.get(0).getClass()));
    List<InetAddress> second = new ArrayList<>(hosts);
    second.removeAll(first);
    List<InetAddress> mixed = new ArrayList<>();
    for (int i = 0; i < Math.max(first.size(), second.size()); i++) {
      mixed.addAll(first.subList(Math.min(i, first.size()), Math.min(i + 1, first.size())));
      mixed.addAll(second.subList(Math.min(i, second.size()), Math.min(i + 1, second.size())));
    }
    return mixed;
  }

  private void next() {
    cancelHeadStart();
    if (fabric.isClosed() || won || addresses.isEmpty()) {
      return;
    }
    InetSocketAddress address = addresses.poll();
    if (!addresses.isEmpty()) {
      headStart =
          fabric.core().loop().schedule(this::next, HEAD_START_MILLIS, TimeUnit.MILLISECONDS);
    }
    TcpConnection connection = new TcpConnection(this, fabric.core(), TcpFabric.GREETING_MILLIS);
    racing.add(connection);
    connect(connection, address);
  }

  private void cancelHeadStart() {
    if (headStart != null) {
      headStart.cancel(false);
      headStart = null;
    }
  }

  private void connect(TcpConnection connection, InetSocketAddress address) {
    ChannelFuture connected = new Bootstrap()
        .group(fabric.core().loop())
        .channel(fabric.core().channelType())
        .disableResolver()
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
        .option(ChannelOption.ALLOCATOR, fabric.core().allocator())
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.WRITE_BUFFER_WATER_MARK, FrameWriter.UNSENT)
        .handler(initializer(connection, address.getAddress()))
        .connect(address);
    if (connected.cause() != null) {
      // Happens without a free file descriptor: such a channel has no loop, and a listener would
      // run on another
      // thread.
      lost(connection, reason(connected.cause(), address));
      return;
    }
    fabric.track(connected.channel());
    connected.addListener((ChannelFutureListener) future -> {
      if (!future.isSuccess()) {
        lost(connection, reason(future.cause(), address));
      }
    });
  }

  /** Names the address only if the location is a host name, which may have several. */
  private String reason(Throwable cause, InetSocketAddress address) {
    boolean literal = location.literal() != null;
    String text = TcpConnection.text(cause);
    String suffix = ": " + address;
    String bare = text.endsWith(suffix) ? text.substring(0, text.length() - suffix.length()) : text;
    if (cause instanceof ConnectException && bare.contains("refused")) {
      TcpLocation refusing =
          new TcpLocation(address.getAddress().getHostAddress(), address.getPort());
      String place = literal ? "this port" : refusing.toString();
      return FabricListener.NOTHING_LISTENS + place + " (" + bare + ")";
    }
    return literal ? bare : text;
  }

  private ChannelInitializer<Channel> initializer(TcpConnection connection, InetAddress address) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        LoopbackCongestion.unpaced(channel, address);
        TlsContexts tls = fabric.core().tls();
        connection.install(
            channel, tls == null ? null : tls.connect(location.host(), location.port()));
      }
    };
  }

  /** One address failed. */
  private void lost(TcpConnection connection, String reason) {
    if (won || !racing.remove(connection)) {
      return;
    }
    failures.add(reason);
    if (!addresses.isEmpty()) {
      next();
    } else if (racing.isEmpty()) {
      failed(String.join("; ", failures));
    }
  }

  @Override
  public TcpEndpoint onGreeted(TcpConnection connection) {
    TcpEndpoint endpoint = fabric.add(connection, listener, attempt);
    won = true;
    cancelHeadStart();
    racing.remove(connection);
    racing.forEach(slower -> slower.refuse("another address was faster"));
    fabric.attempted();
    return endpoint;
  }

  @Override
  public void onRefused(TcpConnection connection, String reason) {
    lost(connection, reason);
  }

  /** The attempt failed. */
  void failed(String reason) {
    fabric.attempted();
    fabric.core().later(() -> listener.onConnectFailed(attempt, reason));
  }
}
