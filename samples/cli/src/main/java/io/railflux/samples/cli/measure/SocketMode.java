package io.railflux.samples.cli.measure;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.Locale;

/** The way in which both sides of a bare socket wait. */
public enum SocketMode {
  /** Polls a non-blocking socket. */
  SPINNING,
  /** Blocks in the kernel. */
  BLOCKING;

  /** Sets TCP_NODELAY, as Railflux does for its sockets, and keeps the congestion control of the system. */
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
