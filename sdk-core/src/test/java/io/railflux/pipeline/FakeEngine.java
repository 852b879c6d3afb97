package io.railflux.pipeline;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** An engine whose thread is the test's: tasks of others wait until the test runs them. */
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

  /** Runs what was handed over so far and what that hands over. */
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

  /** Runs {@code work} on a thread that is not the engine's, to its end. */
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
