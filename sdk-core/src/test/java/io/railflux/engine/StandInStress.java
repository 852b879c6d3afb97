package io.railflux.engine;

import java.util.Queue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import reactor.util.concurrent.Queues;

/** Two threads submit tasks after the end of the engine thread. Each task runs once, and never concurrently. */
@JCStressTest
@Outcome(id = "2, 0", expect = Expect.ACCEPTABLE, desc = "one after the other")
@State
public class StandInStress {

  // As in the engine: any number of producers, one consumer.
  private final Queue<Runnable> tasks =
      Queues.<Runnable>unboundedMultiproducer().get();
  private final StandIn standIn = new StandIn(this::runTasks, Runnable::run);

  private boolean inside;
  private int ran;
  private int overlaps;

  public StandInStress() {
    standIn.takeOver();
  }

  private int runTasks() {
    int count = 0;
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
      count++;
    }
    return count;
  }

  private void task() {
    if (inside || !standIn.isCurrentThread()) {
      overlaps++;
    }
    inside = true;
    ran++;
    inside = false;
  }

  private void handOver() {
    tasks.offer(this::task);
    standIn.run();
  }

  @Actor
  public void one() {
    handOver();
  }

  @Actor
  public void other() {
    handOver();
  }

  @Arbiter
  public void after(II_Result result) {
    result.r1 = ran;
    result.r2 = overlaps;
  }
}
