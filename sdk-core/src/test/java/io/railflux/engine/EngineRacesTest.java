package io.railflux.engine;

import io.railflux.RaceRunner;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EngineRacesTest {

  @ParameterizedTest
  @ValueSource(classes = {RingStress.class})
  void noForbiddenOutcome(Class<?> race) throws Exception {
    RaceRunner.run(race);
  }
}
