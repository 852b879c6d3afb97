package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.railflux.fabric.sim.SimConfig;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** A source that throws an exception that Reactor considers fatal affects its own stream only. */
class FailingSourceTest {

  private final TwoEngines engines = TwoEngines.connected(SimConfig.mapped());
  private long made;
  private boolean fails;

  private long next(long number) {
    if (fails) {
      throw new NoClassDefFoundError("expected");
    }
    made = number;
    return number;
  }

  @Test
  void failureAfterARequestForFreedSpaceAffectsItsStreamOnly() {
    Flow flow = engines.flow("endless").sized(1_000);
    flow.send(Flux.range(0, Integer.MAX_VALUE).map(this::next)).receive();
    engines.await(() -> made > 0);
    engines.far.freeze();
    engines.pass(10 * TwoEngines.MILLIS);
    fails = true;
    engines.far.thaw();

    engines.await(flow.sink::ended);

    assertInstanceOf(NoClassDefFoundError.class, flow.sink.failure);
    assertFalse(engines.nearChannel.isClosed(), "the session ended");
  }
}
