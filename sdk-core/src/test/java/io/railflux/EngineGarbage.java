package io.railflux;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** The allocations of the engines of this process. */
final class EngineGarbage {

  private EngineGarbage() {}

  /** Returns the bytes that all current engine threads have allocated since their start. */
  static long bytes() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> LeakCheck.engineThreads().contains(thread.getName()))
        .mapToLong(thread -> threads.getThreadAllocatedBytes(thread.getId()))
        .sum();
  }
}
