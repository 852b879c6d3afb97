package io.railflux;

import java.util.Locale;
import java.util.Map;

/**
 * Detects whether the application is still finishing its work while the JVM exits. All shutdown hooks run
 * concurrently: a container that answers its last requests needs the node until its own hook ends. The JVM does not
 * identify hooks, so this class examines threads that may be hooks.
 */
final class ExitingApplication {

  private static final long MAIN_THREAD = 1;

  private ExitingApplication() {}

  /**
   * Examines the threads of this JVM, which takes about a millisecond. Called by a shutdown hook.
   *
   * @param alsoDoubtful whether to count daemons, and threads whose names do not suggest a shutdown; these may be
   *     endless threads of the application
   */
  static boolean isBusy(boolean alsoDoubtful) {
    boolean allHooksRun = false;
    for (Map.Entry<Thread, StackTraceElement[]> entry :
        Thread.getAllStackTraces().entrySet()) {
      StackTraceElement[] stack = entry.getValue();
      if (has(stack, "java.lang.ApplicationShutdownHooks", "runHooks")) {
        // This thread starts all hooks and then joins them.
        allHooksRun = has(stack, "java.lang.Thread", "join");
      } else if (mayBeHook(entry.getKey(), stack, alsoDoubtful)) {
        return true;
      }
    }
    return !allHooksRun;
  }

  @SuppressWarnings("deprecation") // Its successor since JDK 19.
  private static boolean mayBeHook(Thread thread, StackTraceElement[] stack, boolean alsoDoubtful) {
    String name = thread.getName();
    if (thread.getId() == MAIN_THREAD
        || name.startsWith("railflux-")
        || name.equals("DestroyJavaVM")
        || !thread.isAlive()) {
      return false;
    }
    boolean likely = isNameOfHook(name) && !thread.isDaemon();
    boolean possible = isNameOfHook(name) || !thread.isDaemon();
    return !isWorker(stack) && (likely || (alsoDoubtful && possible));
  }

  /** A web hook is called by another program, not by this JVM. */
  private static boolean isNameOfHook(String name) {
    String lower = name.toLowerCase(Locale.ROOT).replace("webhook", "");
    return lower.contains("shutdown") || lower.contains("hook");
  }

  /** A hook is a separate thread, never a worker of a pool. */
  private static boolean isWorker(StackTraceElement[] stack) {
    return has(stack, "java.util.concurrent.ThreadPoolExecutor$Worker", "run")
        || has(stack, "java.util.concurrent.ForkJoinWorkerThread", "run")
        || has(stack, "io.netty.util.concurrent.FastThreadLocalRunnable", "run");
  }

  private static boolean has(StackTraceElement[] stack, String type, String method) {
    for (StackTraceElement frame : stack) {
      if (frame.getClassName().equals(type) && frame.getMethodName().equals(method)) {
        return true;
      }
    }
    return false;
  }
}
