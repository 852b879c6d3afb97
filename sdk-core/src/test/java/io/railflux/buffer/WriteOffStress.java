package io.railflux.buffer;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/**
 * An account is written off while one loan is released and another is charged. Each loan returns once, and memory that
 * was written off is not cached.
 */
@JCStressTest
@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "both loans are written off")
@Outcome(id = "0, 64, 0", expect = Expect.ACCEPTABLE, desc = "one loan was released before")
@State
public class WriteOffStress {

  private final BufferPool pool = new BufferPool("race", 128, LeakDetection.OFF);
  private final LoanAccount account = new LoanAccount("dropped", () -> {});
  private final PooledBuffer released = pool.tryAcquire(64);
  private final PooledBuffer charged = pool.tryAcquire(64);

  public WriteOffStress() {
    account.charge(released);
  }

  @Actor
  public void close() {
    released.release();
  }

  @Actor
  public void engine() {
    account.charge(charged);
  }

  @Actor
  public void cancel() {
    account.writeOff();
  }

  @Arbiter
  public void after(JJJ_Result result) {
    result.r1 = pool.outstandingBytes();
    result.r2 = pool.retainedBytes();
    charged.release();
    result.r3 = pool.outstandingBytes();
  }
}
