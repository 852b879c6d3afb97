package io.railflux.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.MessageTooLargeException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.test.publisher.TestPublisher;
import reactor.util.context.Context;

// More than 400 lines: a specification with one test method for each statement.
/** Claims and encodes, with and without free slots. */
class EncodeTest {

  private final FakeSlots slots = new FakeSlots();
  private final TestPublisher<String> source = TestPublisher.create();
  private final List<Object> discarded = new ArrayList<>();
  private final List<String> sent = new ArrayList<>();
  private final List<String> sized = new ArrayList<>();
  private final List<String> ends = new ArrayList<>();
  private Throwable error;
  private Subscription subscription;
  private Runnable onNext = () -> {};
  private Runnable onDiscard = () -> {};

  /**
   * Text of up to 64 bytes. "slow:n" has a time to live of n nanoseconds. "broken" cannot be encoded. "cancels" cancels
   * during encoding, "cancels at once" when its size is requested. "negative" returns a negative size.
   */
  private final Outgoing<String> text = new Outgoing<>() {
    @Override
    public int maxBodyBytes(String value) {
      sized.add(value);
      if (value.equals("cancels at once")) {
        subscription.cancel();
      }
      return value.equals("negative") ? -1 : value.length();
    }

    @Override
    public void encode(String value, ByteBuffer body) {
      if (value.equals("broken")) {
        throw new IllegalArgumentException("cannot encode " + value);
      }
      body.put(value.getBytes(UTF_8));
      if (value.equals("cancels")) {
        subscription.cancel();
      }
    }

    @Override
    public ByteBuffer metadata(String value) {
      return value.startsWith("meta") ? ByteBuffer.allocate(5) : null;
    }

    @Override
    public long timeToLiveNanos(String value) {
      return value.startsWith("slow:") ? Long.parseLong(value.substring(5)) : 0;
    }
  };

  @BeforeEach
  void subscribe() {
    subscribeTo(source.flux());
  }

  private void subscribeTo(Flux<String> values) {
    new Encode<>(values, text, slots).subscribe(new CoreSubscriber<>() {
      @Override
      public Context currentContext() {
        return Operators.enableOnDiscard(Context.empty(), value -> {
          discarded.add(value);
          onDiscard.run();
        });
      }

      @Override
      public void onSubscribe(Subscription s) {
        subscription = s;
      }

      @Override
      public void onNext(Slot slot) {
        sent.add(text(slot));
        onNext.run();
      }

      @Override
      public void onError(Throwable t) {
        assertFalse(slots.filling, "ended before its sent messages were counted");
        error = t;
        ends.add("error");
      }

      @Override
      public void onComplete() {
        assertFalse(slots.filling, "ended before its sent messages were counted");
        ends.add("complete");
      }
    });
  }

  private static String text(Slot slot) {
    if (slot.expired) {
      return "expired";
    }
    byte[] bytes = new byte[slot.bodyBytes];
    slot.buffer.clear().position(slot.bodyOffset).get(bytes);
    String meta = slot.metadata == null ? "" : "+" + slot.metadata.remaining();
    String time = slot.timeToLiveNanos == 0 ? "" : "@" + slot.timeToLiveNanos;
    return new String(bytes, UTF_8) + meta + time;
  }

  @Test
  void valuesBecomeEntriesInline() {
    subscription.request(10);
    source.next("a", "meta", "", "slow:70").complete();
    assertEquals(List.of("a", "meta+5", "", "slow:70@70"), sent);
    assertEquals(List.of("complete"), ends);
  }

  @Test
  void valueThatFitsTheOpenFrameJoinsItInsteadOfBeingEmitted() {
    slots.frameRoom = 2;
    subscription.request(10);
    source.next("a", "b", "c");

    assertEquals(List.of("a", "b"), slots.gathered);
    assertEquals(List.of("c"), sent, "begins the next frame");
  }

  @Test
  void valueWithMetadataIsEmitted() {
    slots.frameRoom = 10;
    subscription.request(10);
    source.next("a", "meta", "slow:70");

    assertEquals(List.of("a"), slots.gathered);
    assertEquals(List.of("meta+5", "slow:70@70"), sent);
  }

  /** All values wait. Then the first one begins a frame with space for the others. */
  private void gatherWaiting(String... values) {
    slots.room = 0;
    subscription.request(10);
    for (String value : values) {
      source.next(value);
    }
    onNext = () -> slots.frameRoom = 10;
    slots.grant(10);
  }

  @Test
  void waitingValuesAreBatchedInOrder() {
    slots.gathered = sent;
    gatherWaiting("a", "b", "slow:70", "c");

    assertEquals(List.of("a", "b", "slow:70@70", "c"), sent);
  }

  @Test
  void waitingValueThatCannotBeBatchedEndsTheStream() {
    gatherWaiting("a", "broken", "c");

    assertEquals(List.of(), slots.gathered);
    assertEquals(List.of("broken", "c"), discarded);
    assertEquals(List.of("error"), ends);
  }

  @Test
  void waitingValueWhoseCodecCancelsIsDiscardedOnce() {
    gatherWaiting("a", "cancels", "c");

    assertEquals(List.of(), slots.gathered);
    assertEquals(List.of("c", "cancels"), discarded);
  }

  @Test
  void valueWithoutSlotWhoseCodecCancelsIsDiscardedOnce() {
    slots.room = 0;
    subscription.request(10);
    source.next("cancels at once");

    assertEquals(List.of("cancels at once"), discarded);
  }

  @Test
  void waitingValueWithoutSlotWhoseCodecCancelsIsDiscardedOnce() {
    slots.room = 0;
    subscription.request(10);
    source.next("a").next("cancels at once").next("c");
    slots.grant(1);

    assertEquals(List.of("a"), sent);
    assertEquals(List.of("c", "cancels at once"), discarded);
  }

  @Test
  void valueThatWaitsTwiceIsDiscardedTwice() {
    String broken = "broken";
    gatherWaiting("a", broken, broken);

    assertEquals(List.of("broken", "broken"), discarded);
  }

  @Test
  void discardHookMayCancel() {
    onDiscard = () -> subscription.cancel();
    gatherWaiting("a", "broken", "c", "d");

    assertEquals(List.of("broken", "c", "d"), discarded);
    assertEquals(List.of("error"), ends);
  }

  @Test
  void claimsNothingIfTheCodecCancelsDuringTheSizeRequest() {
    subscription.request(10);
    source.next("cancels at once");

    assertEquals(0, slots.claims);
    assertEquals(List.of("cancels at once"), discarded);
  }

  @Test
  void negativeSizeEndsTheStreamAndNamesTheCodec() {
    slots.frameRoom = 2;
    subscription.request(10);
    source.next("a", "negative");

    assertEquals(List.of("a"), slots.gathered);
    assertTrue(error.getMessage().contains("-1 from maxEncodedBytes"), error::getMessage);
    assertEquals(List.of("negative"), discarded);
  }

  @Test
  void requestsTheSizeOnceIfTheFrameIsFull() {
    slots.frameRoom = 1;
    subscription.request(10);
    source.next("a", "b");

    assertEquals(List.of("b"), sent);
    assertEquals(List.of("a", "b"), sized);
  }

  @Test
  void synchronousSourceIsBatched() {
    subscribeTo(Flux.fromIterable(List.of("a", "b", "c")));
    slots.frameRoom = 2;
    subscription.request(3);

    assertEquals(List.of("a", "b"), slots.gathered);
    assertEquals(List.of("c"), sent);
    assertEquals(List.of("complete"), ends);
  }

  /** Each value runs its action before it is pulled. The open frame has space for all. */
  private void pull(String values, Map<String, Runnable> before, long request) {
    slots.frameRoom = 10;
    subscribeTo(Flux.fromArray(values.split(" ")).map(value -> {
      before.getOrDefault(value, () -> {}).run();
      return value;
    }));
    subscription.request(request);
  }

  @Test
  void frameTakesPulledValuesUpToOneThatDoesNotFit() {
    pull("a b meta c", Map.of(), 10);

    assertEquals(List.of("a", "b", "c"), slots.gathered);
    assertEquals(List.of("meta+5"), sent);
    assertEquals(List.of("a", "b", "meta", "c"), sized, "once each");
    assertEquals(List.of("complete"), ends);
  }

  @Test
  void frameTakesNoMoreThanRequested() {
    pull("a b c", Map.of(), 2);

    assertEquals(List.of("a", "b"), slots.gathered);
    assertEquals(List.of(), ends);
  }

  @Test
  void keepsRequestsThatArriveDuringTheFill() {
    pull("a b c d", Map.of("b", () -> subscription.request(2)), 2);

    assertEquals(List.of("a", "b", "c", "d"), slots.gathered);
  }

  @Test
  void throwingSourceKeepsItsValuesInTheFrame() {
    pull(
        "a b",
        Map.of("b", () -> {
          throw new IllegalStateException("b");
        }),
        10);

    assertEquals(List.of("a"), slots.gathered);
    assertEquals("b", error.getMessage());
    assertEquals(List.of("error"), ends);
  }

  @Test
  void throwingCodecKeepsEarlierValuesInTheFilledFrame() {
    pull("a broken c", Map.of(), 10);

    assertEquals(List.of("a"), slots.gathered);
    assertInstanceOf(IllegalArgumentException.class, error);
    assertEquals(List.of("broken"), discarded);
    assertEquals(List.of("error"), ends);
  }

  @Test
  void sourceMayStopItsStream() {
    Throwable reason = new IllegalStateException("closing");
    pull("a b c", Map.of("b", () -> ((Stoppable) subscription).stop(reason)), 10);

    assertEquals(List.of("a"), slots.gathered);
    assertEquals(List.of("b"), discarded);
    assertEquals(reason, error);
    assertEquals(List.of("error"), ends);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cancels", "cancels at once"})
  void codecMayCancelDuringTheFill(String value) {
    subscribeTo(Flux.just("a", value, "c"));
    slots.frameRoom = 10;
    subscription.request(10);

    assertEquals(List.of("a"), slots.gathered);
    assertEquals(List.of(value), discarded);
    assertEquals(List.of(), ends);
  }

  @Test
  void sourceMayCancelItsStream() {
    pull("a b c", Map.of("b", () -> subscription.cancel()), 10);

    assertEquals(List.of("a"), slots.gathered);
    assertEquals(List.of("b"), discarded);
    assertEquals(List.of(), ends);
  }

  @Test
  void throwingCodecKeepsBatchedValues() {
    slots.frameRoom = 10;
    subscription.request(10);
    source.next("a", "broken");

    assertEquals(List.of("a"), slots.gathered);
    assertInstanceOf(IllegalArgumentException.class, error);
    assertEquals(List.of("broken"), discarded);
    assertEquals(List.of("error"), ends);
  }

  @Test
  void messageWhoseCodecCancelsIsNotBatched() {
    slots.frameRoom = 10;
    subscription.request(10);
    source.next("cancels");

    assertEquals(List.of(), slots.gathered);
    assertEquals(List.of("cancels"), discarded);
  }

  @Test
  void forwardsRequestsUnchanged() {
    subscription.request(3);
    source.assertMinRequested(3);
    source.assertMaxRequested(3);
    slots.room = 0;
    source.next("a");
    source.assertMaxRequested(3);
  }

  @Test
  void valuesWaitInOrderForASlot() {
    subscription.request(10);
    slots.room = 1;
    source.next("a", "b", "c", "d");
    assertEquals(List.of("a"), sent);
    assertEquals(2, slots.claims, "values behind the first waiting one make no attempt");
    slots.grant(2);
    assertEquals(List.of("a", "b", "c"), sent);
    slots.grant(5);
    assertEquals(List.of("a", "b", "c", "d"), sent);
    assertNull(slots.waiting);
  }

  @Test
  void endWaitsForTheValues() {
    subscription.request(10);
    slots.room = 0;
    source.next("a", "b").complete();
    assertEquals(List.of(), ends);
    slots.grant(1);
    assertEquals(List.of(), ends);
    slots.grant(1);
    assertEquals(List.of("complete"), ends);
  }

  @Test
  void errorOfTheSourceWaitsForTheValues() {
    subscription.request(10);
    slots.room = 0;
    source.next("a").error(new IllegalStateException("dry"));
    assertEquals(List.of(), ends);
    slots.grant(1);
    assertEquals(List.of("a"), sent);
    assertEquals("dry", error.getMessage());
  }

  @Test
  void valuesThatExpireWhileWaitingAreEmittedWithoutContent() {
    subscription.request(10);
    slots.room = 0;
    source.next("slow:100", "b", "slow:500");
    slots.now += 200;
    slots.grant(10);
    assertEquals(List.of("expired", "b", "slow:500@300"), sent);
    assertEquals(List.of("slow:100"), discarded);
  }

  @Test
  void expiredValuesNeedNoSlot() {
    subscription.request(10);
    slots.room = 0;
    source.next("slow:100", "slow:100").complete();
    slots.now += 100;
    slots.grant(0);
    assertEquals(List.of("expired", "expired"), sent);
    assertEquals(1, sized.size(), "the size of an expired value is not requested");
    assertEquals(List.of("slow:100", "slow:100"), discarded);
    assertEquals(List.of("complete"), ends);
  }

  @Test
  void throwingCodecEndsTheStream() {
    subscription.request(10);
    source.next("a", "broken");
    assertEquals(List.of("a"), sent);
    assertInstanceOf(IllegalArgumentException.class, error);
    assertEquals(List.of("broken"), discarded);
    assertTrue(source.wasCancelled());
    assertEquals(List.of("error"), ends);
  }

  @Test
  void throwingCodecDiscardsEachWaitingValueOnce() {
    subscription.request(10);
    slots.room = 0;
    source.next("a", "broken", "c");
    slots.grant(10);
    assertEquals(List.of("a"), sent);
    assertEquals(List.of("broken", "c"), discarded);
    assertEquals(List.of("error"), ends);
  }

  @Test
  void messageThatCannotFitEndsTheStream() {
    subscription.request(10);
    source.next("x".repeat(65));
    assertInstanceOf(MessageTooLargeException.class, error);
    assertTrue(source.wasCancelled());
  }

  @Test
  void cancellationDiscardsWaitingValues() {
    subscription.request(10);
    slots.room = 0;
    source.next("a", "b");
    subscription.cancel();
    assertEquals(List.of("a", "b"), discarded);
    assertTrue(source.wasCancelled());
    slots.grant(5);
    assertEquals(List.of(), sent);
  }

  @Test
  void sentValueIsNotDiscardedIfItsReceiptCancels() {
    subscription.request(10);
    slots.room = 0;
    source.next("a", "b");
    onNext = subscription::cancel;
    slots.grant(10);
    assertEquals(List.of("a"), sent);
    assertEquals(List.of("b"), discarded);
  }

  @Test
  void valuesAfterACancellationAreDiscarded() {
    TestPublisher<String> wild =
        TestPublisher.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);
    subscribeTo(wild.flux());
    subscription.request(10);
    subscription.cancel();
    wild.next("late");
    assertEquals(List.of("late"), discarded);
    assertEquals(List.of(), sent);
  }

  @Test
  void reentrantRequestsKeepTheOrder() {
    subscribeTo(Flux.range(0, 1000).map(String::valueOf).hide());
    onNext = () -> subscription.request(1);
    slots.room = 10;
    subscription.request(1);
    while (sent.size() < 1000) {
      int before = sent.size();
      slots.grant(7);
      assertTrue(sent.size() > before);
    }
    assertEquals(Flux.range(0, 1000).map(String::valueOf).collectList().block(), sent);
    assertEquals(List.of("complete"), ends);
  }

  @Test
  void stopSendsWaitingValuesThenTheReason() {
    subscription.request(10);
    slots.room = 1;
    source.next("a", "b", "c");
    ((Stoppable) subscription).stop(new IllegalStateException("closing"));
    assertTrue(source.wasCancelled());
    assertEquals(List.of(), ends);
    slots.grant(10);
    assertEquals(List.of("a", "b", "c"), sent);
    assertEquals("closing", error.getMessage());
    assertFalse(discarded.contains("b"));
  }

  @Test
  void stopWithoutWaitingValuesEndsImmediatelyAndOnce() {
    subscription.request(10);
    ((Stoppable) subscription).stop(new IllegalStateException("closing"));
    ((Stoppable) subscription).stop(new IllegalStateException("again"));
    assertEquals("closing", error.getMessage());
    assertEquals(List.of("error"), ends);
  }

  @Test
  void synchronousSourceIsPulledOnlyWhileSlotsAreFree() {
    List<String> made = new ArrayList<>();
    subscribeTo(Flux.fromIterable(List.of("a", "b", "c", "d")).map(value -> {
      made.add(value);
      return value;
    }));
    slots.room = 1;
    subscription.request(4);
    assertEquals(List.of("a"), sent);
    assertEquals(List.of("a", "b"), made, "one value waits, and no further value is pulled");

    slots.grant(1);
    assertEquals(List.of("a", "b", "c"), made);
    slots.grant(2);
    assertEquals(List.of("a", "b", "c", "d"), sent);
    assertEquals(List.of("complete"), ends);
  }

  @Test
  void emptySynchronousSourceEndsWithoutDemand() {
    subscribeTo(Flux.fromIterable(List.of()));
    assertEquals(List.of("complete"), ends);
  }

  @Test
  void throwingSynchronousSourceEndsTheStream() {
    subscribeTo(Flux.fromIterable(List.of("a", "b")).map(value -> {
      if (value.equals("b")) {
        throw new IllegalStateException("b");
      }
      return value;
    }));
    subscription.request(2);
    assertEquals(List.of("a"), sent);
    assertInstanceOf(IllegalStateException.class, error);
  }
}
