package io.railflux;

import io.railflux.buffer.FreeListStress;
import io.railflux.buffer.PoolCloseStress;
import io.railflux.message.MessageCloseStress;
import io.railflux.pipeline.CancelledHandoverStress;
import io.railflux.pipeline.CancelledReplyStress;
import io.railflux.pipeline.HandoverStress;
import org.junit.jupiter.api.Test;

/** The races of packages that have one or two; engine and shared memory have tests of their own. */
class RacesTest {

  @Test
  void noForbiddenOutcome() throws Exception {
    RaceRunner.run(
        BudgetStress.class,
        HandoverStress.class,
        CancelledHandoverStress.class,
        CancelledReplyStress.class,
        FreeListStress.class,
        PoolCloseStress.class,
        MessageCloseStress.class);
  }
}
