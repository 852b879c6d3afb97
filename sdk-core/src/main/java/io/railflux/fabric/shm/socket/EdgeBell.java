package io.railflux.fabric.shm.socket;

import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.Socket;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Doorbells of one connection by edges of epoll, which reports each doorbell and the end of the connection without a
 * read. A wake-up saves a system call and the pipeline of Netty. Engine thread only.
 *
 * <p>A full socket accepts no doorbell, and all edges of its unread doorbells may have been reported: a sleeper would
 * then receive nothing. An honest peer rings at most once per request. This class counts the requests, and reads the
 * doorbells before it requests more than any socket has room for. It reads before the request, so it never consumes
 * the requested doorbell. Events of consumed doorbells are found by the following poll.
 */
public final class EdgeBell implements EpollIoHandle {

  private static final Logger LOG = LoggerFactory.getLogger(EdgeBell.class);

  /**
   * The smallest send buffer of Linux has room for six single bytes: two requested since the last read; two requested
   * earlier, for a former sleep and for room, that arrived after it; one of a fence; and the awaited one.
   */
  public static final int ASKED_UNREAD = 3;

  private static final int READ_BYTES = 1024;

  private static final EpollIoOps EDGES =
      EpollIoOps.EPOLLIN.with(EpollIoOps.EPOLLRDHUP).with(EpollIoOps.EPOLLET);

  /**
   * Direct buffers that the connections of a fabric share, so that a connection needs no memory. Their content has no
   * meaning.
   */
  public record Buffers(ByteBuffer bell, ByteBuffer read) {

    static Buffers allocate() {
      return new Buffers(ByteBuffer.allocateDirect(1), ByteBuffer.allocateDirect(READ_BYTES));
    }
  }

  private final EpollDomainSocketChannel channel;
  private final Socket socket;
  private final IoEventLoop loop;
  private final Buffers buffers;
  private final Runnable onRing;
  private final Runnable onEnd;
  private IoRegistration registration;
  private boolean closed;
  private int askedAtRead;

  /**
   * @param channel connected and registered with the loop
   * @param onRing runs when the peer rang, once or several times
   * @param onEnd runs when the peer's end is closed, possibly repeatedly
   */
  public EdgeBell(
      EpollDomainSocketChannel channel,
      IoEventLoop loop,
      Buffers buffers,
      Runnable onRing,
      Runnable onEnd) {
    this.channel = channel;
    this.socket = (Socket) channel.fd();
    this.loop = loop;
    this.buffers = buffers;
    this.onRing = onRing;
    this.onEnd = onEnd;
  }

  /** Takes the socket from its channel, which reads and rings until this is {@link #ready}. */
  @SuppressWarnings("FutureReturnValueIgnored") // Reported by the listener.
  public void takeOver() {
    channel.deregister().addListener(left -> {
      if (channel.isOpen()) {
        loop.register(this).addListener(this::registered);
      }
    });
  }

  private void registered(Future<? super IoRegistration> done) {
    if (!done.isSuccess()) {
      onEnd.run();
      return;
    }
    registration = (IoRegistration) done.getNow();
    try {
      // Also reports earlier events.
      registration.submit(EDGES);
    } catch (RuntimeException e) {
      LOG.warn("epoll refuses a doorbell: {}", e.toString());
      onEnd.run();
    }
  }

  public boolean ready() {
    return registration != null;
  }

  /**
   * Called before this side requests a doorbell.
   *
   * @param asked number of earlier requests
   */
  public void makeRoom(int asked) {
    if (asked - askedAtRead < ASKED_UNREAD || closed) {
      return;
    }
    askedAtRead = asked;
    try {
      socket.recv(buffers.read(), 0, READ_BYTES);
    } catch (IOException e) {
      fail();
    }
  }

  /** Wakes the peer. */
  public void ring() {
    // Another socket may have the number of a closed one.
    if (closed) {
      return;
    }
    try {
      socket.send(buffers.bell(), 0, 1);
    } catch (IOException e) {
      fail();
    }
  }

  /** Deferred, because the caller does not expect the end during its work. */
  private void fail() {
    loop.execute(onEnd);
  }

  @Override
  public Socket fd() {
    return socket;
  }

  @Override
  public void handle(IoRegistration ignored, IoEvent event) {
    EpollIoOps ops = ((EpollIoEvent) event).ops();
    boolean over = ops.contains(EpollIoOps.EPOLLRDHUP) || ops.contains(EpollIoOps.EPOLLERR);
    try {
      (over ? onEnd : onRing).run();
    } catch (Throwable e) {
      // An exception would lose other events of epoll, which reports them only once.
      LOG.error("a doorbell could not be answered", e);
    }
  }

  /** The loop calls it too when it ends. Idempotent. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (registration != null) {
      registration.cancel();
    }
    channel.unsafe().closeForcibly();
  }
}
