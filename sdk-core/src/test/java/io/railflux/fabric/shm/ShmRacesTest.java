package io.railflux.fabric.shm;

import io.railflux.RaceRunner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("RV5")
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
