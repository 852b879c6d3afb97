package io.railflux.engine;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The one place where an engine's thread waits for sockets: Netty's event loop, driven by hand (D5).
 * What becomes ready runs on that thread, inside {@link #runNow} and {@link #sleep}.
 */
public final class IoLoop implements AutoCloseable {

  private final ManualIoEventLoop loop;
  private boolean begun;

  /**
   * @param mayBlock whether nobody wants it awake; asked by the owner before every sleep. Whoever calls
   *     {@link #wakeUp} makes it false first: the loop itself forgets what comes before it sleeps
   * @param handler whose channels it drives; {@link #fastest} but for tests
   */
  public IoLoop(BooleanSupplier mayBlock, IoHandlerFactory handler) {
    this.loop = new ManualIoEventLoop(null, handler) {
      @Override
      protected boolean canBlock() {
        return mayBlock.getAsBoolean();
      }
    };
  }

  /** The caller's thread is the only one that drives the loop from now on. */
  public void begin() {
    loop.setOwningThread(Thread.currentThread());
    begun = true;
  }

  /** For channels of Netty's. */
  public IoEventLoop eventLoop() {
    return loop;
  }

  /** Epoll where it is on the class path and loads, else NIO. */
  public static IoHandlerFactory fastest() {
    return Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
  }

  /** Runs what is ready without waiting; returns how much that was. */
  public int runNow() {
    return loop.runNow();
  }

  /**
   * Waits for something ready, a {@link #wakeUp} or the time to pass, and runs what is ready.
   *
   * @param nanos more than 0; the loop may be up to a millisecond late
   */
  public int sleep(long nanos) {
    return loop.run(nanos);
  }

  /** Ends the sleep. Any thread. */
  public void wakeUp() {
    loop.wakeup();
  }

  /** Ends the loop; every channel should be closed by then. The owner, or anybody before it began. */
  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // The loop below waits for the end.
  public void close() {
    if (!begun) {
      begin();
    }
    loop.shutdownGracefully(0, 0, TimeUnit.NANOSECONDS);
    while (!loop.isTerminated()) {
      loop.runNow();
    }
  }
}
