package io.railflux.pipeline;

import java.util.Queue;
import reactor.util.concurrent.Queues;

/** An engine whose thread is the caller that runs its tasks. It queues tasks as the real engine does. */
final class RaceEngine implements EngineAffinity {

  private final Queue<Runnable> tasks =
      Queues.<Runnable>unboundedMultiproducer().get();
  private volatile Thread running;

  @Override
  public boolean inEngine() {
    return Thread.currentThread().equals(running);
  }

  @Override
  public void execute(Runnable task) {
    tasks.offer(task);
  }

  void run() {
    running = Thread.currentThread();
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
    running = null;
  }
}
