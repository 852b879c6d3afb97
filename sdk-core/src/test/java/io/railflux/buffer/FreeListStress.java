package io.railflux.buffer;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two threads push, and one of them also pops. Each slab is found once. */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "each once")
@State
public class FreeListStress {

  private final FreeList list = new FreeList();
  private final Slab one = new Slab(64, 0);
  private final Slab other = new Slab(64, 0);
  private Slab popped;

  @Actor
  public void push() {
    list.push(one);
  }

  @Actor
  public void pushAndPop() {
    list.push(other);
    popped = list.pop();
  }

  @Arbiter
  public void after(II_Result result) {
    for (Slab slab = popped; slab != null; slab = list.pop()) {
      result.r1 += slab == one ? 1 : 0;
      result.r2 += slab == other ? 1 : 0;
    }
  }
}
