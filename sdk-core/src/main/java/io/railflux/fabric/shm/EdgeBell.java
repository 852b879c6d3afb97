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

/**
 * The doorbells of one connection by epoll's edges: it tells of each that arrives, and of the end, without any being
 * read. So a message that wakes this process up takes a system call less, and what Netty does around one for
 * a channel. Engine thread only.
 *
 * <p>A full socket takes no doorbell, and all edges of those in it may have been told: who sleeps then hears of
 * nothing. An honest peer rings once for each time it is asked to. So they are counted, and what is unread is read
 * before this side asks for one more than any socket has room for. Read earlier than it asks: which word that byte
 * was for was looked at before.
 */
final class EdgeBell implements EpollIoHandle {

  /** The smallest send buffer that Linux makes has room for six bytes sent one by one. */
  static final int MOST_UNREAD = 4;

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
  private int asked;

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
    if (done.isSuccess()) {
      registration = (IoRegistration) done.getNow();
      // Tells of what arrived meanwhile, too.
      registration.submit(EDGES);
    } else {
      onEnd.run();
    }
  }

  boolean ready() {
    return registration != null;
  }

  /** This side asked the peer to ring. */
  void asked() {
    asked++;
  }

  /** This side is about to ask the peer to ring. */
  void makeRoom() {
    if (asked >= MOST_UNREAD) {
      asked = 0;
      try {
        socket.recv(read, 0, READ_BYTES);
      } catch (IOException e) {
        fail();
      }
    }
  }

  /** Wakes the peer. */
  void ring() {
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
    if (ops.contains(EpollIoOps.EPOLLRDHUP) || ops.contains(EpollIoOps.EPOLLERR)) {
      onEnd.run();
    } else {
      onRing.run();
    }
  }

  /** Also by the loop when that ends. */
  @Override
  public void close() {
    if (registration != null) {
      registration.cancel();
    }
    channel.unsafe().closeForcibly();
  }
}
