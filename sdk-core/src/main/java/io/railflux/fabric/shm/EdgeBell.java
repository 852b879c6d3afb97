package io.railflux.fabric.shm;

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
 * The doorbells of one connection by epoll's edges: it tells of each that arrives, and of the end, without any being
 * read. So a message that wakes this process up takes a system call less, and what Netty does around one for
 * a channel. Engine thread only.
 *
 * <p>A full socket takes no doorbell, and all edges of those in it may have been told: who sleeps then hears of
 * nothing. An honest peer rings at most once for each time it is asked to. So these times are counted, and what is
 * unread is read before this side asks for one more than any socket has room for. Read before it asks, so never the
 * doorbell it asks for; what an earlier one told of is found by the look that follows.
 */
final class EdgeBell implements EpollIoHandle {

  private static final Logger LOG = LoggerFactory.getLogger(EdgeBell.class);

  /**
   * The smallest send buffer that Linux makes has room for six bytes sent one by one: two that were asked for since
   * the last read, two that had been asked for before and came behind it, for an earlier sleep and for room, that of
   * a fence, and the one that is waited for.
   */
  static final int ASKED_UNREAD = 3;

  private static final int READ_BYTES = 1024;

  private static final EpollIoOps EDGES =
      EpollIoOps.EPOLLIN.with(EpollIoOps.EPOLLRDHUP).with(EpollIoOps.EPOLLET);

  private final EpollDomainSocketChannel channel;
  private final Socket socket;
  private final IoEventLoop loop;
  private final Runnable onRing;
  private final Runnable onEnd;
  private final ByteBuffer bell = ByteBuffer.allocateDirect(1);
  private final ByteBuffer read = ByteBuffer.allocateDirect(READ_BYTES);
  private IoRegistration registration;
  private boolean closed;
  private int askedAtRead;

  /**
   * @param channel connected and registered with the loop
   * @param onRing runs when the peer rang, perhaps several times
   * @param onEnd runs when the peer's end is closed, perhaps more than once
   */
  EdgeBell(EpollDomainSocketChannel channel, IoEventLoop loop, Runnable onRing, Runnable onEnd) {
    this.channel = channel;
    this.socket = (Socket) channel.fd();
    this.loop = loop;
    this.onRing = onRing;
    this.onEnd = onEnd;
  }

  /** Takes the socket from its channel, which reads and rings as long as it is not {@link #ready}. */
  @SuppressWarnings("FutureReturnValueIgnored") // Listened to.
  void takeOver() {
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
      // Tells of what arrived meanwhile, too.
      registration.submit(EDGES);
    } catch (RuntimeException e) {
      LOG.warn("epoll takes no more: {}", e.toString());
      onEnd.run();
    }
  }

  boolean ready() {
    return registration != null;
  }

  /** This side is about to ask the peer to ring, after so many times. */
  void makeRoom(int asked) {
    if (asked - askedAtRead < ASKED_UNREAD || closed) {
      return;
    }
    askedAtRead = asked;
    try {
      socket.recv(read, 0, READ_BYTES);
    } catch (IOException e) {
      fail();
    }
  }

  /** Wakes the peer. */
  void ring() {
    // The number of a closed socket may be another one's by now.
    if (closed) {
      return;
    }
    try {
      socket.send(bell, 0, 1);
    } catch (IOException e) {
      fail();
    }
  }

  /** Not at once: whoever is at work here does not expect the end in the middle of it. */
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
    } catch (RuntimeException e) {
      // Beyond this epoll's other events would be lost, which it tells but once.
      LOG.error("a doorbell could not be answered", e);
    }
  }

  /** Also by the loop when that ends. Idempotent. */
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
