package io.railflux.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.message.Codecs;
import io.railflux.wire.ReceivedFrame;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

/** The only frame becomes the only value. */
class DecodeSingleTest {

  private final TestPublisher<ReceivedFrame> source = TestPublisher.create();
  private final List<Object> discarded = new ArrayList<>();
  private final List<Object> got = new ArrayList<>();
  private final Mono<Integer> decoded =
      DecodeSingle.of(source.flux(), Incoming.plain(Codecs.int32()));

  private StepVerifier.FirstStep<Integer> verifying(long demand) {
    return StepVerifier.create(decoded.doOnDiscard(Object.class, discarded::add), demand);
  }

  static Stream<ReceivedFrame> sevens() {
    return Stream.of(Frames.last(7), Frames.of(7));
  }

  @ParameterizedTest
  @MethodSource("sevens")
  void valueArrivesWithItsEnd(ReceivedFrame seven) {
    verifying(0)
        .then(() -> source.assertMaxRequested(0))
        .thenRequest(1)
        .then(() -> source.assertMaxRequested(Long.MAX_VALUE))
        .then(() -> source.next(seven))
        .expectNoEvent(Duration.ofMillis(1))
        .then(source::complete)
        .expectNext(7)
        .verifyComplete();
    assertEquals(List.of(), discarded);
  }

  @Test
  void completesEmptyWithoutAFrame() {
    verifying(1).then(source::complete).verifyComplete();
  }

  @ParameterizedTest
  @MethodSource("sevens")
  void secondFrameFailsWithoutAValue(ReceivedFrame seven) {
    verifying(1)
        .then(() -> source.next(seven, Frames.of(8)))
        .verifyError(IndexOutOfBoundsException.class);
    source.assertCancelled();
    assertEquals(List.of(7), discarded);
  }

  @ParameterizedTest
  @MethodSource("sevens")
  void errorReplacesTheValue(ReceivedFrame seven) {
    verifying(1)
        .then(() -> source.next(seven).error(new IllegalStateException("gone")))
        .verifyErrorMessage("gone");
    assertEquals(List.of(7), discarded);
  }

  /** Subscribes to {@code deaf}, which continues after a cancellation, and returns the subscription. */
  private Disposable subscribe(TestPublisher<ReceivedFrame> deaf, Incoming<Integer> incoming) {
    return DecodeSingle.of(deaf.flux(), incoming)
        .doOnDiscard(Object.class, discarded::add)
        .subscribe(got::add, got::add, () -> got.add("end"));
  }

  private static TestPublisher<ReceivedFrame> deaf() {
    return TestPublisher.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);
  }

  @Test
  void cancellationBeforeTheEndDropsTheValue() {
    TestPublisher<ReceivedFrame> deaf = deaf();
    Disposable subscription = subscribe(deaf, Incoming.plain(Codecs.int32()));
    deaf.next(Frames.of(7));
    subscription.dispose();
    deaf.assertCancelled();

    assertEquals(List.of(), got);
    assertEquals(List.of(7), discarded);
  }

  @Test
  void cancellationDuringTheEndDropsTheValue() {
    TestPublisher<ReceivedFrame> deaf = deaf();
    Disposable subscription = subscribe(deaf, Incoming.plain(Codecs.int32()));
    deaf.next(Frames.last(7));
    subscription.dispose();
    deaf.complete();

    assertEquals(List.of(), got);
    assertEquals(List.of(7), discarded);
  }

  @ParameterizedTest
  @MethodSource("sevens")
  void valueIsDiscardedIfItsDecoderCancels(ReceivedFrame seven) {
    TestPublisher<ReceivedFrame> deaf = deaf();
    Disposable.Swap subscription = Disposables.swap();
    subscription.update(subscribe(deaf, frame -> {
      subscription.dispose();
      return frame.body().getInt();
    }));
    deaf.next(seven);

    assertEquals(List.of(), got);
    assertEquals(List.of(7), discarded);
  }

  @Test
  void appliesHooksOfReactor() {
    List<String> seen = new ArrayList<>();
    Hooks.onEachOperator("test", publisher -> {
      seen.add(publisher.getClass().getSimpleName());
      return publisher;
    });
    try {
      DecodeSingle.of(Flux.never(), Incoming.plain(Codecs.int32()));
    } finally {
      Hooks.resetOnEachOperator("test");
    }
    assertEquals("DecodeSingle", seen.get(seen.size() - 1));
  }

  @Test
  void throwingDecoderCancelsUpstreamAndEndsOnce() {
    TestPublisher<ReceivedFrame> wild = deaf();
    List<String> dropped = new ArrayList<>();
    Hooks.onErrorDropped(e -> dropped.add(e.getMessage()));
    try {
      Incoming<Integer> picky = frame -> {
        throw new IllegalArgumentException("no");
      };
      StepVerifier.create(DecodeSingle.of(wild.flux(), picky))
          .then(() -> wild.next(Frames.of(1)))
          .expectErrorMessage("no")
          .verify();
      wild.assertCancelled();
      wild.next(Frames.of(2));
      wild.complete();
      wild.error(new IllegalStateException("late"));
    } finally {
      Hooks.resetOnErrorDropped();
    }
    assertEquals(List.of("late"), dropped);
  }

  @Test
  void contextOfTheSubscriberReachesUpstream() {
    List<String> seen = new ArrayList<>();
    Flux<ReceivedFrame> frames = Flux.deferContextual(c -> {
      seen.add(c.get("who"));
      return Flux.empty();
    });
    DecodeSingle.of(frames, Incoming.plain(Codecs.int32()))
        .contextWrite(c -> c.put("who", "me"))
        .block();
    assertEquals(List.of("me"), seen);
  }
}
