package io.railflux.fabric.tcp;

import io.netty.bootstrap.AbstractBootstrap;
import io.netty.channel.unix.RawUnixChannelOption;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Congestion control of connections that stay on this host. Linux' {@code bbr}, where it is the default,
 * paces the loopback interface, too, by timers, which costs a fourth of the rate of large messages. Reno
 * needs none, every Linux has it, and unless told otherwise lets every user choose it. For epoll's sockets only: the others take no such option.
 */
final class LoopbackCongestion {

  // Linux, netinet/in.h and netinet/tcp.h.
  private static final int IPPROTO_TCP = 6;
  private static final int TCP_CONGESTION = 13;
  private static final int TCP_CA_NAME_MAX = 16;

  private static final byte[] RENO =
      Arrays.copyOf("reno".getBytes(StandardCharsets.US_ASCII), TCP_CA_NAME_MAX);

  static final RawUnixChannelOption OPTION =
      new RawUnixChannelOption("TCP_CONGESTION", IPPROTO_TCP, TCP_CONGESTION, TCP_CA_NAME_MAX);

  private LoopbackCongestion() {}

  /**
   * Set before there is a connection, so that none begins with another. What a listening socket accepts
   * inherits it.
   *
   * @param sockets of Netty's epoll transport
   * @param address which is bound or connected to
   */
  static void unpaced(AbstractBootstrap<?, ?> sockets, InetAddress address) {
    if (address.isLoopbackAddress()) {
      sockets.option(OPTION, ByteBuffer.wrap(RENO));
    }
  }
}
