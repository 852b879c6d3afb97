package io.railflux.fabric.shm;

import io.railflux.RaceRunner;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShmRacesTest {

  @ParameterizedTest
  @ValueSource(
      classes = {
        MailboxStress.class,
        StarvedMailboxStress.class,
        DoorbellStress.class,
        OrderedCopyStress.class
      })
  void noForbiddenOutcome(Class<?> race) throws Exception {
    RaceRunner.run(race);
  }
}
