package io.railflux.samples.bench.peers;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import io.aeron.Aeron;
import io.railflux.samples.cli.measure.Work;
import org.junit.jupiter.api.Test;

class AeronLineTest {

  private static final int NOBODY_LISTENS = 1000;

  @Test
  void doesNotWaitForRoomOnceItIsStopped() throws Exception {
    Job job = new Job(Exchange.ONE_WAY, 64, Work.TOUCH);
    try (Contender.Far driver = new AeronContender(false).serve(job)) {
      Aeron.Context context = new Aeron.Context()
          .aeronDirectoryName(driver.address().substring(0, driver.address().indexOf(',')));
      try (AeronLine line =
          new AeronLine(context, "aeron:ipc", NOBODY_LISTENS, job, number -> {}, () -> {})) {
        line.stop();
        // Else it would fail after a while.
        assertDoesNotThrow(() -> line.send(1));
      }
    }
  }
}
