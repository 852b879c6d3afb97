package io.railflux.samples.cli.measure;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.Locale;

/** How both sides of a bare socket wait. */
public enum SocketMode {
  /** In a loop over a socket that never blocks. */
  SPINNING,
  /** In the kernel. */
  BLOCKING;

  /** No delay, as Railflux' own sockets; the congestion control stays the system's. */
  public SocketChannel configure(SocketChannel channel) throws IOException {
    channel.configureBlocking(this == BLOCKING);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    return channel;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
