package io.railflux.samples.bench.peers;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import io.railflux.samples.cli.measure.Work;
import org.junit.jupiter.api.Test;

class AeronLineTest {

  private static final int NOBODY_LISTENS = 1000;

  @Test
  void doesNotWaitForRoomOnceItIsStopped() throws Exception {
    Job job = new Job(Exchange.ONE_WAY, 64, Work.TOUCH);
    try (Contender.Far driver = new AeronContender(false).serve(job)) {
      String directory = driver.address().substring(0, driver.address().indexOf(','));
      try (AeronLine line = new AeronLine(directory, null, job, number -> {})) {
        line.open("aeron:ipc", NOBODY_LISTENS, "aeron:ipc", NOBODY_LISTENS + 1);
        line.stop();
        // Else it would fail after a while.
        assertDoesNotThrow(() -> line.send(1));
      }
    }
  }
}
