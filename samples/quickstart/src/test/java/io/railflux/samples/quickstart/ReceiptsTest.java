package io.railflux.samples.quickstart;

import static io.railflux.message.Receipt.Outcome.ACKNOWLEDGED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.message.Receipt;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReceiptsTest {

  @Test
  void everyMessageIsAcknowledgedInOrder() {
    assertEquals(
        List.of(
            new Receipt(0, ACKNOWLEDGED),
            new Receipt(1, ACKNOWLEDGED),
            new Receipt(2, ACKNOWLEDGED)),
        Receipts.run(Addresses.fresh()));
  }
}
