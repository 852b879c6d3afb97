package io.railflux.engine;

import io.railflux.engine.base.Occupancy;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the user code that occupies an engine thread. One daemon thread of the JVM checks all engine threads. It
 * sleeps while no engine runs user code. The next call of user code wakes it.
 *
 * <p>Elapsed time alone proves nothing: a thread also stands still while it loads classes, lacks a processor, or during
 * a pause of the JVM. The watchdog therefore counts the time that a thread waits, computes or sits in native code. The
 * state must persist at consecutive checks within one duty cycle, and each state has its own bound.
 */
final class EngineWatchdog implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(EngineWatchdog.class);

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Checks without user code before the watchdog sleeps. Occasional calls then do not wake it each time. */
  private static final int IDLE_LOOKS = 20;

  /** Minimum interval between two reports about the same occupant. */
  private static final long REPORT_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final EngineWatchdog INSTANCE = new EngineWatchdog();

  /** State in which a thread is found, and its tolerated duration in milliseconds. */
  private enum Finding {
    WAITS(200, "waits"),
    COMPUTES(500, "computes"),
    IN_NATIVE_CODE(500, "is in native code"),
    LOADS_CLASSES(5_000, "loads or initializes classes");

    private final long boundNanos;
    private final String text;

    Finding(long boundMillis, String text) {
      this.boundNanos = TimeUnit.MILLISECONDS.toNanos(boundMillis);
      this.text = text;
    }
  }

  /** The stack of an engine thread, in the form that loggers print. */
  private static final class EngineThreadStack extends Throwable {
    private static final long serialVersionUID = 1;

    EngineThreadStack(Thread thread, StackTraceElement... stack) {
      super("stack of " + thread.getName(), null, false, true);
      setStackTrace(stack);
    }
  }

  private final AtomicLong looks = new AtomicLong();
  private volatile boolean asleep;

  // Guarded by this.
  private final List<Watched> engines = new ArrayList<>();
  private Thread thread;

  private EngineWatchdog() {}

  /**
   * Watches an engine thread until the returned action runs.
   *
   * @param cycles number of completed cycles of the engine
   */
  static Runnable watch(Thread thread, String node, LongSupplier cycles, Occupancy occupancy) {
    Watched watched = new Watched(thread, node, cycles, occupancy);
    INSTANCE.add(watched);
    return () -> INSTANCE.remove(watched);
  }

  /** Returns the number of checks so far. */
  static long looks() {
    return INSTANCE.looks.get();
  }

  /** Returns whether the watchdog sleeps until an engine runs user code. */
  static boolean isAsleep() {
    return INSTANCE.asleep;
  }

  private synchronized void add(Watched watched) {
    engines.add(watched);
    if (thread == null) {
      thread = new Thread(this, "railflux-watchdog");
      thread.setDaemon(true);
      thread.start();
    }
    Thread sleeper = thread;
    watched.occupancy.watchedBy(() -> LockSupport.unpark(sleeper));
    // The watchdog may be asleep.
    watched.occupancy.watched(false);
  }

  private synchronized void remove(Watched watched) {
    engines.remove(watched);
    if (engines.isEmpty()) {
      LockSupport.unpark(thread);
    }
  }

  /**
   * Returns the watched engines; null if there are none, whereupon the calling thread ends and is no longer the
   * watchdog's.
   */
  private synchronized List<Watched> watched() {
    if (engines.isEmpty()) {
      thread = null;
      return null;
    }
    return List.copyOf(engines);
  }

  @Override
  public void run() {
    int idle = 0;
    for (List<Watched> all = watched(); all != null; all = watched()) {
      boolean occupied = false;
      for (Watched each : all) {
        occupied |= each.look(System.nanoTime());
      }
      looks.incrementAndGet();
      idle = occupied ? 0 : idle + 1;
      if (idle == IDLE_LOOKS) {
        // User code that begins from here on wakes the watchdog. The next check finds user code
        // that began just before.
        all.forEach(each -> each.occupancy.watched(false));
      }
      if (idle > IDLE_LOOKS) {
        asleep = true;
        LockSupport.park(this);
        asleep = false;
        idle = 0;
        all.forEach(each -> each.occupancy.watched(true));
      } else {
        LockSupport.parkNanos(this, LOOK_NANOS);
      }
    }
  }

  /** One watched engine thread. Used by the watchdog's thread only, except for its construction. */
  private static final class Watched {

    private final Thread thread;
    private final String node;
    private final LongSupplier cycles;
    private final Occupancy occupancy;

    private final long[] foundNanos = new long[Finding.values().length];
    private long cycle = -1;
    private long heldSinceNanos;
    private long lookedNanos;
    private long processorNanos;
    private StackTraceElement top;
    private boolean reported;

    private String lastReported;
    private long lastReportedNanos;

    Watched(Thread thread, String node, LongSupplier cycles, Occupancy occupancy) {
      this.thread = thread;
      this.node = node;
      this.cycles = cycles;
      this.occupancy = occupancy;
    }

    /** Returns whether the engine runs user code. */
    boolean look(long now) {
      Occupancy.Occupant occupant = occupancy.current();
      long current = cycles.getAsLong();
      if (occupant == null || current != cycle) {
        mayContinue(now, current);
      } else if (!reported) {
        examine(now, occupant);
      }
      return occupant != null;
    }

    private void mayContinue(long now, long current) {
      if (reported) {
        long heldMillis = TimeUnit.NANOSECONDS.toMillis(now - heldSinceNanos);
        LOG.info("node '{}': its engine thread continues after {} ms", node, heldMillis);
      }
      cycle = current;
      heldSinceNanos = now;
      lookedNanos = now;
      processorNanos = -1;
      top = null;
      reported = false;
      Arrays.fill(foundNanos, 0);
    }

    /** Examines a thread that is in the same cycle as at the last check. */
    private void examine(long now, Occupancy.Occupant occupant) {
      Thread.State state = thread.getState();
      StackTraceElement[] stack = thread.getStackTrace();
      long processor = ProcessorTime.nanosOf(thread);
      // A late check was itself delayed: it proves no more than a check in time.
      long lookNanos = Math.min(now - lookedNanos, LOOK_NANOS);
      long computed = processorNanos < 0 ? 0 : processor - processorNanos;
      Finding finding = finding(state, stack, computed, now - lookedNanos);
      foundNanos[finding.ordinal()] += finding == Finding.COMPUTES ? computed : lookNanos;
      if (foundNanos[finding.ordinal()] >= finding.boundNanos) {
        report(now, occupant, finding, stack);
      }
      top = stack.length == 0 ? null : stack[0];
      lookedNanos = now;
      processorNanos = processor;
    }

    /** A thread that merely lacks a processor is found to compute. Only its consumed processor time counts. */
    private Finding finding(
        Thread.State state, StackTraceElement[] stack, long computedNanos, long elapsedNanos) {
      if (loadsClasses(stack)) {
        return Finding.LOADS_CLASSES;
      }
      if (state != Thread.State.RUNNABLE) {
        return Finding.WAITS;
      }
      boolean stays = stack.length > 0 && stack[0].isNativeMethod() && stack[0].equals(top);
      // Low processor time alone does not prove that native code blocks: the machine may be busy.
      return stays && computedNanos < elapsedNanos / 10 ? Finding.IN_NATIVE_CODE : Finding.COMPUTES;
    }

    private static boolean loadsClasses(StackTraceElement... stack) {
      for (StackTraceElement frame : stack) {
        String type = frame.getClassName();
        if (frame.getMethodName().equals("<clinit>")
            || type.startsWith("jdk.internal.loader.")
            || type.equals("java.lang.ClassLoader")
            || type.equals("java.lang.invoke.MethodHandleNatives")) {
          return true;
        }
      }
      return false;
    }

    private void report(
        long now, Occupancy.Occupant occupant, Finding finding, StackTraceElement... stack) {
      String description = occupant.describe();
      boolean recent =
          description.equals(lastReported) && now - lastReportedNanos < REPORT_INTERVAL_NANOS;
      if (recent || occupancy.current() != occupant || cycles.getAsLong() != cycle) {
        return;
      }
      reported = true;
      lastReported = description;
      lastReportedNanos = now;
      LOG.warn(
          "node '{}': its engine thread has been held for {} ms by {}, which {}: other streams and peers"
              + " of the node stand still. Move slow work of a subscriber to another thread with publishOn, of a"
              + " handler or publisher with subscribeOn or Mono.fromCallable on another scheduler, or request less",
          node,
          TimeUnit.NANOSECONDS.toMillis(now - heldSinceNanos),
          description,
          finding.text,
          new EngineThreadStack(thread, stack));
    }
  }

  /** Processor time of threads, if the JVM measures it. Loaded only when a thread is examined. */
  private static final class ProcessorTime {

    private static final ThreadMXBean THREADS = threads();

    private static ThreadMXBean threads() {
      try {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return threads.isThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled()
            ? threads
            : null;
      } catch (NoClassDefFoundError | UnsupportedOperationException e) {
        // A run-time image without java.management.
        return null;
      }
    }

    /**
     * Returns the processor time of the thread, or the elapsed time if it is not measured: a runnable thread then
     * counts as running.
     */
    static long nanosOf(Thread thread) {
      return THREADS == null ? System.nanoTime() : THREADS.getThreadCpuTime(thread.getId());
    }
  }
}
