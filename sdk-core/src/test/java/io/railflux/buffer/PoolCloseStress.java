package io.railflux.buffer;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** The last loan returns while the pool closes. A closed pool caches nothing. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "one of the two dropped it")
@State
public class PoolCloseStress {

  private final BufferPool pool = new BufferPool("race", 64, LeakDetection.OFF);
  private final PooledBuffer loan = pool.tryAcquire(64);

  @Actor
  public void release() {
    loan.release();
  }

  @Actor
  public void close() {
    pool.close();
  }

  @Arbiter
  public void after(JJ_Result result) {
    result.r1 = pool.retainedBytes();
    result.r2 = pool.outstandingBytes();
  }
}
