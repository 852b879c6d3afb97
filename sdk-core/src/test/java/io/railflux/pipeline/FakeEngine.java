package io.railflux.pipeline;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** An engine on the thread of the test. Tasks of other threads wait until the test runs them. */
final class FakeEngine implements EngineAffinity {

  private final Thread owner = Thread.currentThread();
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  @Override
  public boolean inEngine() {
    return Thread.currentThread() == owner;
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  int waiting() {
    return tasks.size();
  }

  /** Runs pending tasks, including those that they submit. */
  void run() {
    ArrayDeque<Runnable> now = new ArrayDeque<>();
    do {
      for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
        now.add(task);
      }
      now.forEach(Runnable::run);
      now.clear();
    } while (!tasks.isEmpty());
  }

  /** Runs {@code work} to completion on a thread that is not the engine thread. */
  static void elsewhere(Runnable work) {
    Thread thread = new Thread(work, "elsewhere");
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
