package io.railflux.samples.cli.shell;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this process uses, as the kernel and the JVM count it. */
public final class ProcessFigures {

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  private static final double MEBI = 1 << 20;

  private ProcessFigures() {}

  /** CPU time of all threads so far. */
  public static long cpuNanos() {
    return SYSTEM.getProcessCpuTime();
  }

  /** Memory of this process that is in RAM, in bytes; -1 where the kernel does not tell. */
  public static long rssBytes() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("VmRSS:")) {
          return Long.parseLong(line.replaceAll("\\D", "")) << 10;
        }
      }
    } catch (IOException e) {
      // No such file system here: told by the result.
    }
    return -1;
  }

  /** As {@link #rssBytes}, to a tenth. */
  public static double rssMiB() {
    return Math.round(rssBytes() / MEBI * 10) / 10.0;
  }

  /** Bytes the engine thread of a node allocated so far; 0 when there is no such thread. */
  public static long allocatedBytes(String nodeName) {
    String threadName = "railflux-" + nodeName;
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals(threadName)) {
        return Math.max(0, THREADS.getThreadAllocatedBytes(thread.getId()));
      }
    }
    return 0;
  }
}
