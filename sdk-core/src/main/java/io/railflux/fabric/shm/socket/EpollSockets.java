package io.railflux.fabric.shm.socket;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Sockets driven by epoll through Netty. */
public final class EpollSockets implements DomainSockets {

  /** One doorbell that the kernel did not accept suffices: it wakes the peer on arrival. */
  private static final WriteBufferWaterMark ONE_UNSENT = new WriteBufferWaterMark(1, 1);

  /**
   * Received bytes are copied or dropped at once, so that a connection needs no memory. Wrapped, because Netty would
   * report a dropped buffer of its own as a leak.
   */
  private final ByteBuf input = Unpooled.unreleasableBuffer(
      Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(MAX_READ_BYTES)));

  private final EdgeBell.Buffers buffers = EdgeBell.Buffers.allocate();
  private final IoEventLoop loop;

  public EpollSockets(IoEventLoop loop) {
    this.loop = loop;
  }

  @Override
  public Connected connect(Path path) throws IOException {
    EpollDomainSocketChannel channel = opened(EpollDomainSocketChannel::new);
    try {
      // Reads begin with the listener.
      channel.config().setAutoRead(false);
      register(channel);
      require(channel.connect(new DomainSocketAddress(path.toString())));
      return new Connection(channel);
    } catch (IOException e) {
      close(channel);
      throw DomainSockets.failure(path, e);
    }
  }

  /** Constructors of Netty throw unchecked exceptions, for example without a free file descriptor. */
  private static <C extends Channel> C opened(Supplier<C> kind) throws IOException {
    try {
      return kind.get();
    } catch (ChannelException e) {
      throw DomainSockets.noSocket(e);
    }
  }

  @Override
  public Closeable listen(Path path, Consumer<Connected> onAccepted, Predicate<Throwable> onTrouble)
      throws IOException {
    Channel server = opened(EpollServerDomainSocketChannel::new);
    try {
      server.config().setOption(ChannelOption.SO_BACKLOG, BACKLOG);
      server.pipeline().addLast(new Acceptor(onAccepted, onTrouble));
      register(server);
      require(server.bind(new DomainSocketAddress(path.toString())));
      return new Listener(server);
    } catch (IOException e) {
      close(server);
      throw e;
    }
  }

  /** All sockets read into the same buffer. */
  private final class OneBuffer extends DefaultMaxMessagesRecvByteBufAllocator {

    OneBuffer() {
      super(1);
    }

    @Override
    @SuppressWarnings("deprecation") // The superclass names it so.
    public Handle newHandle() {
      return new MaxMessageHandle() {
        @Override
        public int guess() {
          return MAX_READ_BYTES;
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
          return input.duplicate().clear();
        }
      };
    }
  }

  public record Listener(Channel server) implements Closeable {

    @Override
    public void close() {
      EpollSockets.close(server);
    }
  }

  /** An accepted connection, which is not registered yet, or a connected one. */
  final class Connection implements Connected {

    private final EpollDomainSocketChannel channel;

    Connection(EpollDomainSocketChannel channel) {
      this.channel = channel;
    }

    EpollDomainSocketChannel channel() {
      return channel;
    }

    @Override
    public LinkSocket begin(Runnable onReady) throws IOException {
      EpollLink link = new EpollLink(channel, loop, buffers, onReady);
      channel
          .config()
          // Loading the default of Netty takes a tenth of a second on the engine thread.
          .setAllocator(UnpooledByteBufAllocator.DEFAULT)
          .setRecvByteBufAllocator(new OneBuffer())
          .setWriteBufferWaterMark(ONE_UNSENT);
      channel.pipeline().addLast(link.handler());
      if (!channel.isRegistered()) {
        register(channel);
      }
      channel.config().setAutoRead(true);
      return link;
    }

    @Override
    public String objection(PeerUser user) throws IOException {
      return user.objection(channel.peerCredentials().uid());
    }

    @Override
    public void close() {
      EpollSockets.close(channel);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // No data is pending, so none is lost.
  public static void close(Channel channel) {
    if (channel.isRegistered()) {
      channel.close();
    } else {
      channel.unsafe().closeForcibly();
    }
  }

  private void register(Channel channel) throws IOException {
    EventLoop channels = loop;
    require(channels.register(channel));
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

  private final class Acceptor extends ChannelInboundHandlerAdapter {

    private final Consumer<Connected> onAccepted;
    private final Predicate<Throwable> onTrouble;

    Acceptor(Consumer<Connected> onAccepted, Predicate<Throwable> onTrouble) {
      this.onAccepted = onAccepted;
      this.onTrouble = onTrouble;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
      onAccepted.accept(new Connection((EpollDomainSocketChannel) accepted));
    }

    /** A waiting connection would wake the loop again at once. */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // The operation cannot fail.
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      long pause = onTrouble.test(cause) ? 1 : PAUSE_MILLIS;
      ChannelConfig config = context.channel().config();
      if (config.isAutoRead()) {
        config.setAutoRead(false);
        context.executor().schedule(() -> config.setAutoRead(true), pause, MILLISECONDS);
      }
    }
  }
}
