package io.railflux.samples.cli.perf;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.Locale;

/** How both sides of a bare socket wait. */
enum SocketMode {
  /** In a loop over a socket that never blocks. */
  SPINNING(Order.Task.SPINNING_COUNT, Order.Task.SPINNING_ECHO),
  /** In the kernel. */
  BLOCKING(Order.Task.BLOCKING_COUNT, Order.Task.BLOCKING_ECHO);

  private final Order.Task count;
  private final Order.Task echo;

  SocketMode(Order.Task count, Order.Task echo) {
    this.count = count;
    this.echo = echo;
  }

  Order.Task count() {
    return count;
  }

  Order.Task echo() {
    return echo;
  }

  /** Options as those of Railflux' own sockets. */
  SocketChannel configure(SocketChannel channel) throws IOException {
    channel.configureBlocking(this == BLOCKING);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    return channel;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
