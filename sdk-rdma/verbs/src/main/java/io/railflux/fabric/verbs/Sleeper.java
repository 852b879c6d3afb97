package io.railflux.fabric.verbs;

import io.railflux.fabric.verbs.internal.EpollEvent;
import io.railflux.fabric.verbs.internal.LibC;
import io.railflux.fabric.verbs.internal.NativeFailure;
import io.railflux.fabric.verbs.internal.NativeScope;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A thread that sleeps until one of the descriptors has something to read, marks it and wakes the engine
 * if that asked for it (D5). It reads nothing itself: the engine thread does.
 */
final class Sleeper implements AutoCloseable {

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
  static final class Source {

    /** Something may be there to read: true at first, for what came before it was watched. */
    private volatile boolean ready = true;

    /** Whether to read; the mark is taken back, so read until nothing is left. */
    boolean take() {
      if (!ready) {
        return false;
      }
      ready = false;
      return true;
    }
  }

  /** @param wakeUp wakes the engine; any thread */
  Sleeper(Runnable wakeUp) throws NativeFailure {
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

  /** From now on events of {@code fd} are noticed. It must not block. Engine thread. */
  Source watch(int fd) throws NativeFailure {
    LibC.setNonBlocking(fd);
    Source source = new Source();
    sources.add(source);
    LibC.epollAdd(epoll, fd, sources.size());
    return source;
  }

  /** The next event wakes the engine, once. */
  void arm() {
    armed = true;
  }

  void disarm() {
    armed = false;
  }

  /** As an event would. Any thread. */
  void wake() {
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
