package io.railflux.fabric.shm;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoEventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Unix-domain sockets of the kind the engine's loop drives: epoll's or NIO's. Engine thread only, on which
 * all here takes effect at once.
 */
final class DomainSockets {

  /** Bounds what one wake-up may cost when a peer floods the doorbell. */
  private static final int MAX_READ_BYTES = 1024;

  private static final int BACKLOG = 128;

  /** Until it is tried again to accept, after that failed. */
  static final long PAUSE_MILLIS = 100;

  /** One doorbell that the kernel did not take is enough: it wakes as well when it gets there. */
  private static final WriteBufferWaterMark ONE_UNSENT = new WriteBufferWaterMark(1, 1);

  private final EventLoop loop;
  private final boolean epoll;

  DomainSockets(IoEventLoop loop) {
    this.loop = loop;
    this.epoll = loop.isIoType(EpollIoHandler.class);
  }

  /**
   * Connects; a socket of this host answers at once or never.
   *
   * @throws Full when it may answer a little later
   */
  Channel connect(Path path) throws IOException {
    Channel channel = opened(epoll ? EpollDomainSocketChannel::new : NioDomainSocketChannel::new);
    try {
      // What comes is read once somebody is there to hear it.
      channel.config().setAutoRead(false);
      register(channel);
      require(channel.connect(address(path)));
      return channel;
    } catch (IOException e) {
      close(channel);
      if (!Files.exists(path) || isRefused(e)) {
        throw new IOException("no process listens there (" + path + ")", e);
      }
      if (e instanceof Pending || isFull(e)) {
        throw new Full(e);
      }
      throw e;
    }
  }

  private static boolean isRefused(IOException e) {
    return e instanceof ConnectException && String.valueOf(e.getMessage()).contains("refused");
  }

  private static boolean isFull(IOException e) {
    return String.valueOf(e.getMessage()).contains("temporarily unavailable");
  }

  /** Netty's constructors throw unchecked, for instance where no file descriptor is left. */
  private static Channel opened(Supplier<Channel> kind) throws IOException {
    try {
      return kind.get();
    } catch (ChannelException e) {
      throw new IOException("no socket: " + (e.getCause() == null ? e : e.getCause()), e);
    }
  }

  /** Somebody listens, and takes no more before he has accepted some. */
  static final class Full extends IOException {
    private static final long serialVersionUID = 1L;

    Full(IOException cause) {
      super("the listener has more connections waiting than it takes; try again", cause);
    }
  }

  /** What should have taken effect at once did not. */
  private static final class Pending extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /** Takes over a channel that was accepted or {@link #connect}ed. */
  void begin(Channel channel, LinkSocket socket) throws IOException {
    channel
        .config()
        // Netty's default takes a tenth of a second to load, on the engine's thread.
        .setAllocator(UnpooledByteBufAllocator.DEFAULT)
        .setRecvByteBufAllocator(
            new FixedRecvByteBufAllocator(MAX_READ_BYTES).maxMessagesPerRead(1))
        .setWriteBufferWaterMark(ONE_UNSENT);
    channel.pipeline().addLast(socket);
    if (!channel.isRegistered()) {
      register(channel);
    }
    channel.config().setAutoRead(true);
  }

  /**
   * Listens at a path that no file has.
   *
   * @param onAccepted takes each new channel, which is not registered yet
   * @param onTrouble hears why one could not be accepted, for instance for want of file descriptors; the
   *     loop tries again
   */
  Channel listen(Path path, Consumer<Channel> onAccepted, Consumer<Throwable> onTrouble)
      throws IOException {
    Channel server =
        opened(epoll ? EpollServerDomainSocketChannel::new : NioServerDomainSocketChannel::new);
    try {
      server.config().setOption(ChannelOption.SO_BACKLOG, BACKLOG);
      server.pipeline().addLast(new Acceptor(onAccepted, onTrouble));
      register(server);
      require(server.bind(address(path)));
      return server;
    } catch (IOException e) {
      close(server);
      throw e;
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // Nothing is lost with it: no data is ever pending.
  static void close(Channel channel) {
    if (channel.isRegistered()) {
      channel.close();
    } else {
      channel.unsafe().closeForcibly();
    }
  }

  private void register(Channel channel) throws IOException {
    require(loop.register(channel));
  }

  private static void require(ChannelFuture done) throws IOException {
    if (done.isSuccess()) {
      return;
    }
    Throwable cause = done.cause();
    if (cause == null) {
      throw new Pending();
    }
    throw cause instanceof IOException e ? e : new IOException(cause);
  }

  private SocketAddress address(Path path) {
    return epoll ? new DomainSocketAddress(path.toString()) : UnixDomainSocketAddress.of(path);
  }

  private static final class Acceptor extends ChannelInboundHandlerAdapter {

    private final Consumer<Channel> onAccepted;
    private final Consumer<Throwable> onTrouble;

    Acceptor(Consumer<Channel> onAccepted, Consumer<Throwable> onTrouble) {
      this.onAccepted = onAccepted;
      this.onTrouble = onTrouble;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
      onAccepted.accept((Channel) accepted);
    }

    /** Who waits to be accepted would wake the loop again at once. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // It cannot fail.
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      onTrouble.accept(cause);
      ChannelConfig config = context.channel().config();
      if (config.isAutoRead()) {
        config.setAutoRead(false);
        context.executor().schedule(() -> config.setAutoRead(true), PAUSE_MILLIS, MILLISECONDS);
      }
    }
  }
}
