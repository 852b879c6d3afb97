package io.railflux.pipeline;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/** A source on another thread emits and ends while the engine takes values. All values arrive in order. */
@JCStressTest
@Outcome(id = "12, true", expect = Expect.ACCEPTABLE, desc = "both values, then the end")
@State
public class HandoverStress {

  private final RaceEngine engine = new RaceEngine();
  private final RaceEnds ends = RaceEnds.of(engine);

  @Actor
  public void source() {
    ends.source.onNext(1);
    ends.source.onNext(2);
    ends.source.onComplete();
  }

  @Actor
  public void engine() {
    engine.run();
  }

  @Arbiter
  public void after(IZ_Result result) {
    engine.run();
    result.r1 = ends.received;
    result.r2 = ends.completed;
  }
}
