package io.railflux.engine;

import io.railflux.RaceRunner;
import org.junit.jupiter.api.Test;

class EngineRacesTest {

  @Test
  void noForbiddenOutcome() throws Exception {
    RaceRunner.run(
        RingStress.class,
        RingReuseStress.class,
        SleepStress.class,
        StandInStress.class,
        RequestStress.class);
  }
}
