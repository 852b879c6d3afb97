package io.railflux.fabric.verbs.device;

import io.railflux.fabric.verbs.internal.EpollEvent;
import io.railflux.fabric.verbs.internal.LibC;
import io.railflux.fabric.verbs.internal.NativeFailure;
import io.railflux.fabric.verbs.internal.NativeScope;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A thread that waits until a descriptor is readable, marks it, and wakes an armed engine (D5). Only the engine
 * thread reads descriptors.
 */
public final class Sleeper implements AutoCloseable {

  private static final int STOP = 0;
  private static final int EVENTS = 16;

  private final NativeScope scope = new NativeScope("event thread");
  private final Runnable wakeUp;
  private final List<Source> sources = new CopyOnWriteArrayList<>();
  private final int epoll;
  private final int stop;
  private final EpollEvent events;
  private final Thread thread;
  private volatile boolean armed;
  private volatile boolean closed;

  /** A watched descriptor. */
  public static final class Source {

    /** Whether there may be data: initially true for data from before the watch. */
    private volatile boolean ready = true;

    /** Whether to read; clears the mark, so the caller reads until there is no data. */
    public boolean take() {
      if (!ready) {
        return false;
      }
      ready = false;
      return true;
    }
  }

  /** @param wakeUp wakes the engine; any thread */
  public Sleeper(Runnable wakeUp) throws NativeFailure {
    this.wakeUp = wakeUp;
    try {
      epoll = LibC.epollCreate();
      scope.adopt(epoll, () -> LibC.close(epoll));
      stop = LibC.eventFd();
      scope.adopt(stop, () -> LibC.close(stop));
      LibC.epollAdd(epoll, stop, STOP);
    } catch (NativeFailure e) {
      scope.close();
      throw e;
    }
    events = new EpollEvent(scope, EVENTS);
    thread = Thread.ofPlatform().daemon().name("railflux-verbs-events").unstarted(this::run);
    thread.start();
  }

  /** Watches a non-blocking descriptor. Engine thread. */
  public Source watch(int fd) throws NativeFailure {
    LibC.setNonBlocking(fd);
    Source source = new Source();
    sources.add(source);
    LibC.epollAdd(epoll, fd, sources.size());
    return source;
  }

  /** Requests one wake-up at the next event. */
  public void arm() {
    armed = true;
  }

  public void disarm() {
    armed = false;
  }

  /** Acts as an event. Any thread. */
  public void wake() {
    if (armed) {
      armed = false;
      wakeUp.run();
    }
  }

  private void run() {
    while (!closed) {
      int count = LibC.epollWait(epoll, events);
      for (int i = 0; i < count; i++) {
        int token = (int) events.token(i);
        if (token != STOP) {
          sources.get(token - 1).ready = true;
        }
      }
      if (count > 0) {
        wake();
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    LibC.signal(stop);
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    scope.close();
  }
}
