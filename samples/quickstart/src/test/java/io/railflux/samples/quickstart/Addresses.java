package io.railflux.samples.quickstart;

import java.util.concurrent.atomic.AtomicInteger;

/** Addresses that no other test on this machine uses. */
final class Addresses {

  private static final AtomicInteger COUNT = new AtomicInteger();

  private Addresses() {}

  static String fresh() {
    return "shm:sample-" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
  }
}
