package io.railflux.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.WorkRequest;
import org.junit.jupiter.api.Test;

/** The requests of one endpoint. */
class TcpSendQueueTest {

  private static final int DEPTH = 512;

  private final TcpSendQueue queue = new TcpSendQueue(DEPTH);
  private final WorkRequest request = new WorkRequest();
  private long nextId;

  private void post(int count) {
    for (int i = 0; i < count; i++) {
      request.id = nextId++;
      queue.post(request, null);
    }
  }

  private void report(int count) {
    for (int i = 0; i < count; i++) {
      queue.sent();
      queue.taken();
      queue.reported();
    }
  }

  @Test
  void growsToItsDepthAndKeepsItsRequestsInOrder() {
    post(10);
    report(7);
    post(DEPTH - 4);
    assertFalse(queue.isFull());
    post(1);
    assertTrue(queue.isFull());
    for (long id = 7; id < nextId; id++) {
      assertEquals(id, queue.nextUnsent().request.id);
      assertEquals(id, queue.at(id).request.id);
      report(1);
    }
  }
}
