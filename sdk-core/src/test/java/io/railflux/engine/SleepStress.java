package io.railflux.engine;

import io.railflux.engine.base.EngineConfig;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The engine falls asleep while another thread submits a task. The engine finds the task or is woken. */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "found it before sleeping")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "found it, and was woken needlessly")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "slept, and was woken")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "sleeps over a task")
@State
public class SleepStress {

  private final RaceHost host = new RaceHost();
  private final Engine engine = new Engine(EngineConfig.defaults("race"), host, 0);

  @Actor
  public void sleeper(ZZ_Result result) {
    host.asleep.set();
    engine.arm();
    result.r1 = engine.dutyCycle(0) > 0;
  }

  @Actor
  public void submitter(ZZ_Result result) {
    engine.execute(() -> {});
    result.r2 = host.woken;
  }
}
