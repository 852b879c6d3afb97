package io.railflux.message;

import io.railflux.buffer.BufferPool;
import io.railflux.buffer.LeakDetection;
import io.railflux.buffer.LoanAccount;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Two owners close the same message. Its memory returns once, and no close fails. */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "released once")
@State
public class MessageCloseStress {

  private final BufferPool pool = new BufferPool("race", 64, LeakDetection.OFF);
  private final Message message = PooledMessage.owning(
      "race", Headers.empty(), pool.tryAcquire(64), new LoanAccount("dropped", () -> {}));

  @Actor
  public void one() {
    message.close();
  }

  @Actor
  public void other() {
    message.close();
  }

  @Arbiter
  public void after(I_Result result) {
    result.r1 = pool.outstanding();
  }
}
