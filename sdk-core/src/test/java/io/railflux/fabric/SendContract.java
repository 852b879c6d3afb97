package io.railflux.fabric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

abstract class SendContract extends ContractCase {

  private static final int SLOT = 256;
  private static final int MESSAGES = 16;

  @BeforeEach
  void connectParties() throws Exception {
    connect();
  }

  @Test
  void sendsAreReceivedInPostingOrder() {
    for (int i = 0; i < MESSAGES; i++) {
      far.receive(i, i * SLOT, SLOT);
    }
    for (int i = 0; i < MESSAGES; i++) {
      near.fill(i * SLOT, lengthOf(i), i);
      int index = i;
      post(() -> near.send(100 + index, index * SLOT, lengthOf(index)));
    }
    awaitReceives(MESSAGES);

    assertEquals(numbers(0), RecordingListener.ids(far.callbacks.receives()));
    for (int i = 0; i < MESSAGES; i++) {
      assertEquals(lengthOf(i), far.callbacks.receives().get(i).lengthBytes());
      assertArrayEquals(Party.patterned(i, lengthOf(i)), far.bytes(i * SLOT, lengthOf(i)));
    }
  }

  @Test
  void completionsAreReportedInPostingOrder() {
    exchange();

    assertEquals(numbers(100), RecordingListener.ids(near.callbacks.requests()));
    assertTrue(near.callbacks.requests().stream().allMatch(h -> h.opcode() == Opcode.SEND));
    assertTrue(
        near.callbacks.requests().stream().allMatch(h -> h.status() == CompletionStatus.SUCCESS));
  }

  @Test
  void eachRequestCompletesOnce() {
    exchange();
    fixture.settle();

    assertEquals(MESSAGES, near.callbacks.requests().size());
    assertEquals(MESSAGES, far.callbacks.receives().size());
  }

  @Test
  void bothDirectionsWorkConcurrently() {
    for (int i = 0; i < MESSAGES; i++) {
      near.receive(i, 64 * 1024 + i * SLOT, SLOT);
      far.receive(i, 64 * 1024 + i * SLOT, SLOT);
      near.fill(i * SLOT, SLOT, i);
      far.fill(i * SLOT, SLOT, 50 + i);
      near.send(100 + i, i * SLOT, SLOT);
      far.send(200 + i, i * SLOT, SLOT);
    }
    awaitReceives(MESSAGES);
    await(() -> near.callbacks.receives().size() == MESSAGES, "the way back");

    int received = 64 * 1024;
    assertArrayEquals(Party.patterned(3, SLOT), far.bytes(received + 3 * SLOT, SLOT));
    assertArrayEquals(Party.patterned(53, SLOT), near.bytes(received + 3 * SLOT, SLOT));
  }

  @Test
  void messageMayBeEmpty() {
    far.receive(1, 0, SLOT);
    near.send(2, 0, 0);
    awaitReceives(1);
    awaitRequests(1);

    assertEquals(0, far.callbacks.receives().get(0).lengthBytes());
    assertTrue(far.callbacks.receives().get(0).status() == CompletionStatus.SUCCESS);
  }

  @Test
  void longestMessageArrivesCompletely() {
    int longest = fixture.local().capabilities().maxSendBytes();
    assumeTrue(longest <= Party.MEMORY_BYTES, () -> "the longest send is " + longest + " bytes");
    near.fill(0, longest, 9);
    far.receive(1, 0, longest);
    near.send(2, 0, longest);
    awaitReceives(1);

    assertEquals(longest, far.callbacks.receives().get(0).lengthBytes());
    assertArrayEquals(Party.patterned(9, longest), far.bytes(0, longest));
  }

  @Test
  void successOfAnUnsignaledRequestIsSilent() {
    for (int i = 0; i < 4; i++) {
      far.receive(i, i * SLOT, SLOT);
    }
    near.sendSilently(0, SLOT);
    near.sendSilently(0, SLOT);
    near.send(77, 0, SLOT);
    near.sendSilently(0, SLOT);
    awaitReceives(4);
    awaitRequests(1);
    fixture.settle();

    assertEquals(List.of(77L), RecordingListener.ids(near.callbacks.requests()));
  }

  @Test
  void localMemoryIsReusableAfterCompletion() {
    far.receive(1, 0, SLOT);
    near.fill(0, SLOT, 1);
    near.send(1, 0, SLOT);
    awaitRequests(1);
    near.fill(0, SLOT, 2);
    awaitReceives(1);
    fixture.settle();

    assertArrayEquals(Party.patterned(1, SLOT), far.bytes(0, SLOT));
  }

  @Test
  void inlineMemoryIsReusableWhenPostReturns() {
    int inline = Math.min(SLOT, fixture.local().capabilities().maxInlineBytes());
    assumeTrue(inline > 0, "nothing is sent inline");
    for (int i = 0; i < MESSAGES; i++) {
      far.receive(i, i * SLOT, SLOT);
      near.fill(0, inline, i);
      near.send(i, 0, inline);
      near.fill(0, inline, 100);
    }
    awaitReceives(MESSAGES);

    for (int i = 0; i < MESSAGES; i++) {
      assertArrayEquals(Party.patterned(i, inline), far.bytes(i * SLOT, inline));
    }
  }

  @Test
  void pollDeliversNoMoreThanRequested() {
    fixture.remote().arm();
    for (int i = 0; i < 4; i++) {
      far.receive(i, i * SLOT, SLOT);
      near.send(i, 0, SLOT);
    }
    fixture.sleep(fixture.remote());
    int before = far.callbacks.count();

    assertEquals(0, fixture.remote().poll(0));
    int delivered = fixture.remote().poll(1);
    assertTrue(delivered <= 1, () -> "poll(1) delivered " + delivered);
    assertEquals(delivered, far.callbacks.count() - before);
  }

  @Test
  void postRunsNoCallback() {
    int nearBefore = near.callbacks.count();
    int farBefore = far.callbacks.count();
    far.receive(1, 0, SLOT);
    near.send(1, 0, SLOT);

    assertEquals(nearBefore, near.callbacks.count());
    assertEquals(farBefore, far.callbacks.count());
  }

  private void exchange() {
    for (int i = 0; i < MESSAGES; i++) {
      int index = i;
      far.receive(i, i * SLOT, SLOT);
      post(() -> near.send(100 + index, index * SLOT, SLOT));
    }
    awaitReceives(MESSAGES);
    awaitRequests(MESSAGES);
  }

  private static int lengthOf(int index) {
    return 1 + index * 13 % SLOT;
  }

  private static List<Long> numbers(int first) {
    return LongStream.range(first, first + MESSAGES).boxed().toList();
  }
}
