package io.railflux.samples.cli.shell;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * The processor time that the threads of a JVM take between two readings, by the purpose of the thread. The kernel of
 * Linux counts it in steps of 10 ms. Single-threaded.
 */
public final class ThreadTimes {

  private static final long MILLIS_PER_TICK = 10;
  private static final int USER_FIELD = 11;
  private static final int SYSTEM_FIELD = 12;

  private final Path tasks;
  private final String enginePrefix;
  private final Map<String, Long> before = new HashMap<>();

  /** The purpose of a thread. */
  public enum Purpose {
    /** Compiles methods to machine code. */
    COMPILER,
    /** Collects garbage. */
    COLLECTOR,
    /** Runs the engine of a node. */
    ENGINE,
    /** Everything else: the application, class loading and the timers of the JVM. */
    OTHER;

    static Purpose of(String thread, String enginePrefix) {
      if (thread.startsWith(enginePrefix)) {
        return ENGINE;
      }
      if (thread.startsWith("C1 Comp")
          || thread.startsWith("C2 Comp")
          || thread.startsWith("JVMCI")) {
        return COMPILER;
      }
      // The threads of ParallelGC, G1, ZGC and Shenandoah. SerialGC collects on the VM thread.
      return thread.startsWith("GC Thread")
              || thread.startsWith("ParGC")
              || thread.startsWith("G1 ")
              || thread.matches("Z[A-Z].*")
              || thread.startsWith("Shenandoah")
          ? COLLECTOR
          : OTHER;
    }
  }

  /**
   * @param process process whose threads are read
   * @param nodeName node of the engine thread
   */
  public ThreadTimes(long process, String nodeName) {
    this(Path.of("/proc", String.valueOf(process), "task"), nodeName);
  }

  ThreadTimes(Path tasks, String nodeName) {
    this.tasks = tasks;
    String name = "railflux-" + nodeName;
    // The kernel keeps 15 bytes of a name.
    this.enginePrefix = name.substring(0, Math.min(name.length(), 15));
  }

  /** Returns whether the kernel provides the times. */
  public boolean available() {
    return Files.isDirectory(tasks);
  }

  /** Returns the milliseconds since the previous call, or since the start of the process. */
  public Map<Purpose, Long> next() {
    Map<Purpose, Long> taken = new EnumMap<>(Purpose.class);
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      for (Path thread : threads) {
        add(taken, thread);
      }
    } catch (IOException e) {
      // The process has ended.
    }
    return taken;
  }

  private void add(Map<Purpose, Long> taken, Path thread) {
    String stat;
    try {
      stat = Files.readString(thread.resolve("stat"), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      // The thread has ended, as idle compiler threads do.
      return;
    }
    // The name is in parentheses, and may contain some.
    int end = stat.lastIndexOf(')');
    String name = stat.substring(stat.indexOf('(') + 1, end);
    String[] fields = stat.substring(end + 2).split(" ", SYSTEM_FIELD + 2);
    long ticks = Long.parseLong(fields[USER_FIELD]) + Long.parseLong(fields[SYSTEM_FIELD]);
    Long earlier = before.put(thread.getFileName().toString(), ticks);
    long millis = (ticks - (earlier == null ? 0 : earlier)) * MILLIS_PER_TICK;
    taken.merge(Purpose.of(name, enginePrefix), millis, Long::sum);
  }
}
