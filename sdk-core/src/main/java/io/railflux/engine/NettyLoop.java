package io.railflux.engine;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.nio.NioIoOps;
import io.netty.channel.nio.NioSelectableChannelIoHandle;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.scheduler.NonBlocking;

/** Netty's event loop, driven manually. Uses epoll if it is on the class path and loads, otherwise NIO. */
public final class NettyLoop implements IoLoop {

  private static final Logger LOG = LoggerFactory.getLogger(NettyLoop.class);

  private final ManualIoEventLoop loop;
  private boolean begun;

  /** @param handler factory of the I/O handler whose channels the loop drives */
  public NettyLoop(IoHandlerFactory handler) {
    this.loop = new ManualIoEventLoop(null, handler);
  }

  static NettyLoop fastest() {
    return new NettyLoop(
        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
  }

  /** Netty reuses the memory of writes on its own kind of threads only. */
  private static final class EngineLoopThread extends FastThreadLocalThread implements NonBlocking {

    EngineLoopThread(Runnable task, String name) {
      super(task, name);
    }
  }

  @Override
  public Thread newThread(Runnable task, String name) {
    return new EngineLoopThread(task, name);
  }

  @Override
  public void begin() {
    loop.setOwningThread(Thread.currentThread());
    begun = true;
  }

  @Override
  public <T> Optional<T> as(Class<T> type) {
    return type.isInstance(loop) ? Optional.of(type.cast(loop)) : Optional.empty();
  }

  /** Returns the event loop for Netty channels. */
  public IoEventLoop eventLoop() {
    return loop;
  }

  @Override
  public boolean takesJdkChannels() {
    return loop.isIoType(NioIoHandler.class);
  }

  @Override
  public Registration register(SelectableChannel channel, int operations, Runnable onReady)
      throws IOException {
    if (!takesJdkChannels()) {
      throw new UnsupportedOperationException("epoll drives this loop");
    }
    Future<IoRegistration> done = loop.register(new JdkHandle(channel, onReady));
    if (!done.isSuccess()) {
      throw new IOException("the selector does not take the channel", done.cause());
    }
    Key key = new Key(done.getNow());
    key.operations(operations);
    return key;
  }

  @SuppressWarnings("try") // Only the declaration of close permits an interruption.
  private static final class JdkHandle extends NioSelectableChannelIoHandle<SelectableChannel> {

    private final Runnable onReady;

    JdkHandle(SelectableChannel channel, Runnable onReady) {
      super(channel);
      this.onReady = onReady;
    }

    @Override
    protected void handle(SelectableChannel channel, SelectionKey key) {
      try {
        onReady.run();
      } catch (Throwable e) {
        LOG.error("a socket's event could not be handled", e);
      }
    }
  }

  private record Key(IoRegistration registration) implements Registration {

    @Override
    public void operations(int operations) {
      registration.submit(NioIoOps.valueOf(operations));
    }

    @Override
    public void close() {
      registration.cancel();
    }
  }

  @Override
  public Disposable schedule(Runnable task, long delayNanos) {
    Future<?> due = loop.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
    return () -> due.cancel(false);
  }

  @Override
  public int runNow() {
    return loop.runNow();
  }

  @Override
  public int sleep(long nanos) {
    return loop.run(nanos);
  }

  /** Submits a task, since the loop forgets a mere wake-up that precedes its sleep. */
  @Override
  public void wakeUp() {
    loop.execute(NettyLoop::doNothing);
  }

  private static void doNothing() {}

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // The following loop waits for the end.
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
