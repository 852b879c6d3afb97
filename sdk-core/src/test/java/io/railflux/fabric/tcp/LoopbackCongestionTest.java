package io.railflux.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The congestion control that the kernel reports. */
class LoopbackCongestionTest {

  private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
  private EventLoopGroup loop;

  @BeforeEach
  void needsEpoll() {
    assumeTrue(Epoll.isAvailable(), "Netty's epoll transport is missing");
    loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  }

  @AfterEach
  void stop() {
    if (loop != null) {
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
  }

  private ServerBootstrap listening() {
    return new ServerBootstrap()
        .group(loop)
        .channel(EpollServerSocketChannel.class)
        .childHandler(new ChannelInitializer<>() {
          @Override
          protected void initChannel(Channel channel) {
            accepted.add(channel);
          }
        });
  }

  private Bootstrap connecting() {
    return new Bootstrap()
        .group(loop)
        .channel(EpollSocketChannel.class)
        .handler(new ChannelInboundHandlerAdapter());
  }

  private static ChannelInitializer<Channel> unpaced(InetAddress address) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        LoopbackCongestion.unpaced(channel, address);
      }
    };
  }

  private static String congestionOf(Channel channel) {
    byte[] name = new byte[LoopbackCongestion.OPTION.length()];
    channel.config().getOption(LoopbackCongestion.OPTION).get(name);
    return new String(name, StandardCharsets.US_ASCII).split("\0", 2)[0];
  }

  @Test
  void bothEndsOfALocalConnectionUseReno() throws InterruptedException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    ServerBootstrap server = listening().handler(unpaced(loopback));
    Bootstrap client = connecting().handler(unpaced(loopback));

    Channel listening = server.bind(new InetSocketAddress(loopback, 0)).sync().channel();
    Channel connected = client.connect(listening.localAddress()).sync().channel();
    Channel other = accepted.poll(10, TimeUnit.SECONDS);

    assertEquals("reno", congestionOf(connected));
    assertNotNull(other);
    assertEquals("reno", congestionOf(other));
  }

  @Test
  void remoteConnectionsKeepTheDefaultOfTheSystem() throws Exception {
    ServerBootstrap plain = listening();
    Channel asIs = plain.bind(new InetSocketAddress(0)).sync().channel();
    InetSocketAddress everywhere = new InetSocketAddress(0);
    ServerBootstrap server = listening().handler(unpaced(everywhere.getAddress()));

    Channel listening = server.bind(everywhere).sync().channel();

    assertEquals(congestionOf(asIs), congestionOf(listening));
  }

  @Test
  void keepsTheDefaultIfTheKernelRejectsTheChange() throws InterruptedException {
    Channel closed = connecting().register().sync().channel();
    closed.close().sync();

    byte[] name = new byte[LoopbackCongestion.OPTION.length()];
    assertThrows(
        ChannelException.class,
        () -> closed.config().setOption(LoopbackCongestion.OPTION, ByteBuffer.wrap(name)));
    LoopbackCongestion.unpaced(closed, InetAddress.getLoopbackAddress());
  }
}
