package io.railflux.buffer;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The daemon thread that detects dropped buffers of all pools; the first loan starts it. */
final class LeakWatch {

  private static final Logger LOG = LoggerFactory.getLogger(LeakWatch.class);
  private static final ReferenceQueue<PooledBuffer> DROPPED = new ReferenceQueue<>();

  static {
    Thread thread = new Thread(LeakWatch::run, "railflux-leak-watch");
    thread.setDaemon(true);
    // The thread outlives the application that started it, so it must not reference the class
    // loader of that
    // application.
    thread.setContextClassLoader(LeakWatch.class.getClassLoader());
    thread.start();
  }

  private LeakWatch() {}

  static ReferenceQueue<PooledBuffer> dropped() {
    return DROPPED;
  }

  private static void run() {
    while (true) {
      try {
        Reference<? extends PooledBuffer> dropped = DROPPED.remove();
        ((Loan) dropped).reclaim();
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException | Error e) {
        complain(e);
      }
    }
  }

  private static void complain(Throwable failure) {
    try {
      LOG.warn("a leak listener or release hook failed; the leaked bytes were returned", failure);
    } catch (RuntimeException | Error unlogged) {
      // The watch serves all pools; a failing log must not end it.
    }
  }
}
