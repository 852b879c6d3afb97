package io.railflux.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

abstract class BackpressureContract extends ContractCase {

  private static final int SIZE = 128;

  @BeforeEach
  void connectParties() throws Exception {
    connect();
  }

  @Test
  void sendWithoutAReceiveWaits() {
    near.fill(0, SIZE, 3);
    near.send(1, 0, SIZE);
    fixture.settle();
    assertEquals(List.of(), far.callbacks.receives());
    assertEquals(EndpointState.READY, near.endpoint.state());

    far.receive(2, 0, SIZE);
    awaitReceives(1);
    awaitRequests(1);
    assertEquals(CompletionStatus.SUCCESS, near.callbacks.requests().get(0).status());
  }

  @Test
  void eachPostedReceiveTakesOneMessage() {
    for (int i = 0; i < 8; i++) {
      near.memory.memory().putLong(i * SIZE, 1000 + i);
      near.send(i, i * SIZE, SIZE);
    }
    for (int i = 0; i < 8; i++) {
      far.receive(i, i * SIZE, SIZE);
      awaitReceives(i + 1);
      fixture.settle();
      assertEquals(i + 1, far.callbacks.receives().size());
      assertEquals(1000 + i, far.memory.memory().getLong(i * SIZE));
    }
  }

  @Test
  void sendQueueFillsAndDrainsWithoutLoss() {
    int posted = fillSendQueue();
    assertTrue(posted >= 1, "nothing could be posted");

    for (int i = 0; i < posted; i++) {
      int id = i;
      post(() -> far.receive(id, 0, SIZE));
    }
    awaitReceives(posted);
    awaitRequests(posted);
    assertEquals(numbers(posted), RecordingListener.ids(near.callbacks.requests()));
    assertEquals(numbers(posted), RecordingListener.ids(far.callbacks.receives()));
  }

  @Test
  void fullQueueAcceptsRequestsAfterProgress() {
    int depth = fillSendQueue();
    int total = depth + 3 * 16;
    int[] next = {depth};
    int[] received = {0};
    await(
        () -> {
          received[0] += far.receive(received[0], 0, SIZE) == PostResult.POSTED ? 1 : 0;
          if (next[0] < total && sendNumber(next[0]) == PostResult.POSTED) {
            next[0]++;
          }
          return near.callbacks.requests().size() == total
              && far.callbacks.receives().size() >= total;
        },
        "all of " + total);

    assertEquals(numbers(total), RecordingListener.ids(near.callbacks.requests()));
  }

  @Test
  void fullQueueKeepsTheEndpointReady() {
    fillSendQueue();

    assertEquals(EndpointState.READY, near.endpoint.state());
    assertEquals(PostResult.QUEUE_FULL, near.send(-1, 0, SIZE));
  }

  @Test
  void receiveQueueFills() {
    int depth = fixture.remote().capabilities().receiveQueueDepth();
    int posted = 0;
    while (posted <= depth && far.receive(posted, 0, SIZE) == PostResult.POSTED) {
      posted++;
    }

    assertEquals(depth, posted);
    assertEquals(PostResult.QUEUE_FULL, far.receive(-1, 0, SIZE));
    near.send(1, 0, SIZE);
    awaitReceives(1);
    assertEquals(PostResult.POSTED, far.receive(posted, 0, SIZE));
  }

  /**
   * Posts until the queue is full and returns the number of requests. The peer has posted no receive, so no request
   * completes.
   */
  private int fillSendQueue() {
    int depth = fixture.local().capabilities().sendQueueDepth();
    int posted = 0;
    while (posted <= depth && sendNumber(posted) == PostResult.POSTED) {
      posted++;
    }
    assertTrue(posted <= depth, () -> "more than the declared " + depth + " requests fitted");
    return posted;
  }

  private PostResult sendNumber(int number) {
    return near.send(number, 0, SIZE);
  }

  private static List<Long> numbers(int count) {
    return LongStream.range(0, count).boxed().toList();
  }
}
