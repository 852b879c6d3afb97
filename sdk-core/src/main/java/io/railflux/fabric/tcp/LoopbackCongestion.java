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
 * Congestion control of connections over loopback. Where Linux defaults to {@code bbr}, its timers also pace
 * loopback, which costs a quarter of the rate of large messages. Reno does not pace; every Linux has it and by
 * default permits it to every user. Only sockets of epoll have the option.
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
   * For {@code initChannel}: called before the connection exists, because pacing does not stop later. Accepted
   * sockets inherit the option. Has no effect if the kernel refuses it.
   *
   * @param address bound or remote address
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
