package io.railflux;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What the engines of this process allocate. */
final class EngineGarbage {

  private EngineGarbage() {}

  /** Of all engine threads that run now, since each began. */
  static long bytes() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> LeakCheck.engineThreads().contains(thread.getName()))
        .mapToLong(thread -> threads.getThreadAllocatedBytes(thread.getId()))
        .sum();
  }
}
