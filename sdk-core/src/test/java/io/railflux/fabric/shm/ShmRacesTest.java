package io.railflux.fabric.shm;

import io.railflux.RaceRunner;
import org.junit.jupiter.api.Test;

class ShmRacesTest {

  @Test
  void noForbiddenOutcome() throws Exception {
    RaceRunner.run(
        MailboxStress.class,
        StarvedMailboxStress.class,
        DoorbellStress.class,
        OrderedCopyStress.class,
        OneSidedOrderStress.class);
  }
}
