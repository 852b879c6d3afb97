package io.railflux.fabric.tcp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.epoll.EpollChannelConfig;
import io.netty.channel.unix.RawUnixChannelOption;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Congestion control of connections to loopback addresses. Linux' {@code bbr}, where it is the default, paces
 * them, too, by timers, which costs a fourth of the rate of large messages. Reno needs none, every Linux has
 * it, and unless told otherwise lets every user choose it. For epoll's sockets only: the others take no such
 * option.
 */
final class LoopbackCongestion {

  private static final Logger LOG = LoggerFactory.getLogger(LoopbackCongestion.class);

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
   * For an {@code initChannel}: before there is a connection, as pacing that began stays. What a listening
   * socket accepts inherits it. Where the kernel refuses, all stays as it was.
   *
   * @param address which is bound or connected to
   */
  static void unpaced(Channel channel, InetAddress address) {
    if (!address.isLoopbackAddress() || !(channel.config() instanceof EpollChannelConfig)) {
      return;
    }
    try {
      channel.config().setOption(OPTION, ByteBuffer.wrap(RENO));
    } catch (ChannelException e) {
      LOG.debug(
          "connections at {} keep the system's congestion control: {}", address, e.toString());
    }
  }
}
