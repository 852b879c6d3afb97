package io.railflux.samples.cli.shell;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** Resource usage of this process according to the kernel and the JVM. */
public final class ProcessFigures {

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  private static final double MEBI = 1 << 20;

  private ProcessFigures() {}

  /** Returns the CPU time of all threads so far. */
  public static long cpuNanos() {
    return SYSTEM.getProcessCpuTime();
  }

  /** Returns the resident memory of this process in bytes, or -1 if the kernel does not provide it. */
  public static long rssBytes() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("VmRSS:")) {
          return Long.parseLong(line.replaceAll("\\D", "")) << 10;
        }
      }
    } catch (IOException e) {
      // The kernel has no such file system. The result reports this.
    }
    return -1;
  }

  /** As {@link #rssBytes}, in MiB with one decimal. */
  public static double rssMiB() {
    return Math.round(rssBytes() / MEBI * 10) / 10.0;
  }

  /** Returns the bytes that the engine thread of a node has allocated so far, or 0 without such a thread. */
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
