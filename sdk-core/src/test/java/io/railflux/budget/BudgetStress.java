package io.railflux.budget;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JZ_Result;

/** The budget is exhausted while the last message is closed: the claimant gets its place or is requested later. */
@JCStressTest
@Outcome(id = "1, false", expect = Expect.ACCEPTABLE, desc = "saw the close")
@Outcome(
    id = "1, true",
    expect = Expect.ACCEPTABLE,
    desc = "saw it, and receives a needless request")
@Outcome(
    id = "0, true",
    expect = Expect.ACCEPTABLE,
    desc = "did not see it, and receives a request")
@Outcome(id = "0, false", expect = Expect.FORBIDDEN, desc = "waits forever")
@State
public class BudgetStress {

  private final AtomicInteger occupied = new AtomicInteger();
  private final MessageBudget budget = new MessageBudget(1, occupied::get);
  private final AtomicInteger held = new AtomicInteger();
  private final MessageBudget.Claim claim = budget.open(() -> {}, () -> held.get() > 0);

  public BudgetStress() {
    claim.more(1);
    held.incrementAndGet();
    occupied.incrementAndGet();
    claim.onArrived();
  }

  @Actor
  public void claimant(JZ_Result result) {
    result.r1 = claim.more(1);
  }

  /** In the order of a pool: the account of the loan precedes the pool. */
  @Actor
  public void owner(JZ_Result result) {
    held.decrementAndGet();
    occupied.decrementAndGet();
    result.r2 = budget.isAwaited();
  }
}
