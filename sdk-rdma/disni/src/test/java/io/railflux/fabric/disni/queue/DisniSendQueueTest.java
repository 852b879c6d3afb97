package io.railflux.fabric.disni.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.Completion;
import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.WorkRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DisniSendQueueTest {

  private final DisniSendQueue queue = new DisniSendQueue();
  private final Completion completion = new Completion();

  @Test
  void writeCompletesWithTheCompletionOfTheCard() {
    add(Opcode.WRITE, 1, 0);
    assertNull(queue.head(false));
    queue.succeeded(0);
    assertEquals(List.of("1 SUCCESS"), ended(false));
    assertTrue(queue.isEmpty());
  }

  @Test
  void messageCompletesWhenItIsReceived() {
    add(Opcode.SEND, 1, 0);
    queue.succeeded(0);
    assertEquals(List.of(), ended(false));
    assertTrue(queue.taken(1));
    assertEquals(List.of("1 SUCCESS"), ended(false));
  }

  @Test
  void requestsBehindAMessageWaitForIt() {
    add(Opcode.SEND, 1, 0);
    add(Opcode.WRITE, 2, 1);
    queue.succeeded(1);
    assertEquals(List.of(), ended(false));
    queue.taken(1);
    assertEquals(List.of("1 SUCCESS", "2 SUCCESS"), ended(false));
  }

  @Test
  void completionCoversAllEarlierRequests() {
    add(Opcode.WRITE, 1, 0);
    // The card's request 1 is a control message.
    add(Opcode.WRITE, 2, 2);
    add(Opcode.WRITE, 3, 3);
    queue.succeeded(2);
    assertEquals(List.of("1 SUCCESS", "2 SUCCESS"), ended(false));
  }

  @Test
  void requestsBehindAFailureAreFlushed() {
    add(Opcode.WRITE, 1, 0);
    add(Opcode.WRITE, 2, 1);
    add(Opcode.WRITE, 3, 2);
    queue.failed(1, CompletionStatus.REMOTE_ACCESS);
    assertEquals(List.of("1 SUCCESS", "2 REMOTE_ACCESS"), ended(false));
    queue.failed(2, CompletionStatus.FLUSHED);
    assertEquals(List.of("3 FLUSHED"), ended(false));
  }

  @Test
  void failedControlMessageFlushesLaterRequests() {
    add(Opcode.WRITE, 1, 0);
    add(Opcode.WRITE, 2, 2);
    queue.failed(1, CompletionStatus.TRANSPORT_RETRY);
    queue.failed(2, CompletionStatus.FLUSHED);
    assertEquals(List.of("1 SUCCESS", "2 FLUSHED"), ended(false));
  }

  @Test
  void rejectedRequestFailsAfterEarlierOnesCompleted() {
    add(Opcode.WRITE, 1, 0);
    queue.refuse(request(Opcode.WRITE, 2), 2, CompletionStatus.LOCAL_PROTECTION);
    queue.refuse(request(Opcode.WRITE, 3), 2, CompletionStatus.FLUSHED);
    assertEquals(List.of(), ended(false));
    queue.succeeded(1);
    assertEquals(List.of("1 SUCCESS", "2 LOCAL_PROTECTION", "3 FLUSHED"), ended(false));
  }

  @Test
  void unreceivedMessagesAndLaterRequestsAreFlushedAtTheEnd() {
    add(Opcode.SEND, 1, 0);
    add(Opcode.WRITE, 2, 1);
    queue.succeeded(1);
    assertEquals(List.of("1 FLUSHED", "2 FLUSHED"), ended(true));
  }

  @Test
  void requestsWithoutACompletionAreFlushedAtTheEnd() {
    add(Opcode.WRITE, 1, 0);
    assertEquals(List.of("1 FLUSHED"), ended(true));
  }

  @Test
  void rejectsInvalidCountsOfReceivedMessages() {
    add(Opcode.SEND, 1, 0);
    assertFalse(queue.taken(2));
    assertTrue(queue.taken(1));
    assertFalse(queue.taken(0));
  }

  @Test
  void successOfAnUnsignaledRequestIsSilent() {
    WorkRequest silent = request(Opcode.WRITE, 1);
    silent.signaled = false;
    queue.add(silent, 0);
    queue.succeeded(0);
    assertEquals(List.of(), ended(false));
    assertTrue(queue.isEmpty());
  }

  @Test
  void reportedCompletionsFreeTheirPlaces() {
    for (int i = 0; i < DisniSendQueue.DEPTH; i++) {
      assertFalse(queue.isFull());
      add(Opcode.WRITE, i, i);
    }
    assertTrue(queue.isFull());
    queue.succeeded(DisniSendQueue.DEPTH - 1);
    assertTrue(queue.isFull());
    assertEquals(DisniSendQueue.DEPTH, ended(false).size());
    assertFalse(queue.isFull());
  }

  private void add(Opcode opcode, long id, long sequence) {
    queue.add(request(opcode, id), sequence);
  }

  private static WorkRequest request(Opcode opcode, long id) {
    WorkRequest request = new WorkRequest().withId(id);
    request.opcode = opcode;
    return request;
  }

  /** Returns the completions that the user receives now. */
  private List<String> ended(boolean over) {
    List<String> completions = new ArrayList<>();
    for (var status = queue.head(over); status != null; status = queue.head(over)) {
      if (queue.end(status, completion)) {
        completions.add(completion.id() + " " + completion.status());
      }
    }
    return completions;
  }
}
