package io.railflux.samples.bench.peers;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import io.railflux.samples.cli.measure.Work;
import org.junit.jupiter.api.Test;

class AeronLineTest {

  private static final int NO_LISTENER = 1000;

  @Test
  void doesNotWaitForSpaceAfterAStop() throws Exception {
    Job job = new Job(Exchange.ONE_WAY, 64, Work.TOUCH);
    try (Contender.Far driver = new AeronContender(false).serve(job)) {
      String directory = driver.address().substring(0, driver.address().indexOf(','));
      AeronLine.Stream nobody = new AeronLine.Stream("aeron:ipc", NO_LISTENER);
      AeronLine.Stream silent = new AeronLine.Stream("aeron:ipc", NO_LISTENER + 1);
      try (AeronLine line = new AeronLine(directory, null, nobody, silent, job, number -> {})) {
        line.stop();
        // Otherwise it fails after a timeout.
        assertDoesNotThrow(() -> line.send(1));
      }
    }
  }
}
