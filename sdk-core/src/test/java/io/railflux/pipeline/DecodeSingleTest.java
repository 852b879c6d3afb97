package io.railflux.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.message.Codecs;
import io.railflux.wire.ReceivedFrame;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

/** The only frame becomes the only value. */
class DecodeSingleTest {

  private final TestPublisher<ReceivedFrame> source = TestPublisher.create();
  private final List<Object> discarded = new ArrayList<>();
  private final Mono<Integer> decoded =
      new DecodeSingle<>(source.flux(), Incoming.plain(Codecs.int32()));

  private StepVerifier.FirstStep<Integer> verifying(long demand) {
    return StepVerifier.create(decoded.doOnDiscard(Object.class, discarded::add), demand);
  }

  @Test
  void theValueComesWithTheEndThatWasAskedForWithIt() {
    verifying(0)
        .then(() -> source.assertMaxRequested(0))
        .thenRequest(1)
        .then(() -> source.assertMaxRequested(Long.MAX_VALUE))
        .then(() -> source.next(Frames.of(7)))
        .expectNoEvent(Duration.ofMillis(1))
        .then(source::complete)
        .expectNext(7)
        .verifyComplete();
  }

  @Test
  void noFrameIsNoValue() {
    verifying(1).then(source::complete).verifyComplete();
  }

  @Test
  void aSecondFrameEndsItWithoutAValue() {
    verifying(1)
        .then(() -> source.next(Frames.of(7), Frames.of(8)))
        .verifyError(IndexOutOfBoundsException.class);
    source.assertCancelled();
    assertEquals(List.of(7), discarded);
  }

  @Test
  void anErrorTakesThePlaceOfTheValue() {
    verifying(1)
        .then(() -> source.next(Frames.of(7)).error(new IllegalStateException("gone")))
        .verifyErrorMessage("gone");
    assertEquals(List.of(7), discarded);
  }

  @Test
  void whoCancelsGetsNothingEvenIfItCame() {
    TestPublisher<ReceivedFrame> deaf =
        TestPublisher.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);
    List<Object> got = new ArrayList<>();
    var subscription = new DecodeSingle<>(deaf.flux(), Incoming.plain(Codecs.int32()))
        .doOnDiscard(Object.class, discarded::add)
        .subscribe(got::add, got::add, () -> got.add("end"));
    deaf.next(Frames.of(7));
    subscription.dispose();
    deaf.assertCancelled();
    deaf.complete();

    assertEquals(List.of(), got);
    assertEquals(List.of(7), discarded);
  }

  @Test
  void aDecoderThatThrowsCancelsUpstreamAndEndsItOnce() {
    TestPublisher<ReceivedFrame> wild =
        TestPublisher.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);
    List<String> dropped = new ArrayList<>();
    Hooks.onErrorDropped(e -> dropped.add(e.getMessage()));
    try {
      Incoming<Integer> picky = frame -> {
        throw new IllegalArgumentException("no");
      };
      StepVerifier.create(new DecodeSingle<>(wild.flux(), picky))
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
  void theContextOfTheSubscriberIsSeenUpstream() {
    List<String> seen = new ArrayList<>();
    Flux<ReceivedFrame> frames = Flux.deferContextual(c -> {
      seen.add(c.get("who"));
      return Flux.empty();
    });
    new DecodeSingle<>(frames, Incoming.plain(Codecs.int32()))
        .contextWrite(c -> c.put("who", "me"))
        .block();
    assertEquals(List.of("me"), seen);
  }
}
