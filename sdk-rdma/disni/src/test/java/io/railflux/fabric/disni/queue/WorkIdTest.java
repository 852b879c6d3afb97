package io.railflux.fabric.disni.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class WorkIdTest {

  @Test
  void distinguishesReceivesAndRequests() {
    for (int endpoint : new int[] {1, Integer.MAX_VALUE, Integer.MIN_VALUE, -1}) {
      long receive = WorkId.ofSlot(endpoint, 159);
      assertTrue(WorkId.isReceive(receive));
      assertEquals(endpoint, WorkId.endpoint(receive));
      assertEquals(159, WorkId.slot(receive));
      long request = WorkId.ofRequest(endpoint, 7);
      assertFalse(WorkId.isReceive(request));
      assertEquals(endpoint, WorkId.endpoint(request));
    }
  }

  @Test
  void sequenceNumbersExceedTheirBits() {
    for (long earlier : new long[] {0, (1L << 31) - 3, (1L << 40) - 1, Long.MAX_VALUE / 2}) {
      for (int ahead = 0; ahead < 200; ahead++) {
        long id = WorkId.ofRequest(9, earlier + ahead);
        assertEquals(earlier + ahead, WorkId.sequence(id, earlier));
      }
    }
  }
}
