package io.railflux.pipeline;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A source on another thread emits while the stream is cancelled. No value leaks. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "arrived before the cancel")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "discarded")
@State
public class CancelledHandoverStress {

  private final RaceEngine engine = new RaceEngine();
  private final RaceEnds ends = RaceEnds.of(engine);

  @Actor
  public void source() {
    ends.source.onNext(1);
  }

  @Actor
  public void engineAndCancel() {
    engine.run();
    ends.subscription.cancel();
    engine.run();
  }

  @Arbiter
  public void after(II_Result result) {
    engine.run();
    result.r1 = ends.received;
    result.r2 = ends.discarded;
  }
}
