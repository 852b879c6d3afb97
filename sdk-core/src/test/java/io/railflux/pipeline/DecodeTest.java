package io.railflux.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.message.Codecs;
import io.railflux.message.Envelope;
import io.railflux.message.Headers;
import io.railflux.wire.ReceivedFrame;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

/** Frames become values. */
class DecodeTest {

  private final TestPublisher<ReceivedFrame> source = TestPublisher.create();
  private final Flux<Integer> decoded = new Decode<>(source.flux(), Incoming.plain(Codecs.int32()));

  @Test
  void decodesEveryFrameInline() {
    StepVerifier.create(decoded, 0)
        .then(() -> source.assertMaxRequested(0))
        .thenRequest(2)
        .then(() -> source.assertMaxRequested(2))
        .then(() -> source.next(Frames.of(7), Frames.of(-3)))
        .expectNext(7, -3)
        .then(source::complete)
        .verifyComplete();
  }

  @Test
  void errorsPass() {
    StepVerifier.create(decoded)
        .then(() -> source.next(Frames.of(7)).error(new IllegalStateException("gone")))
        .expectNext(7)
        .verifyErrorMessage("gone");
  }

  @Test
  void cancellingReachesTheSource() {
    StepVerifier.create(decoded)
        .then(() -> source.next(Frames.of(7)))
        .expectNext(7)
        .thenCancel()
        .verify();
    source.assertCancelled();
  }

  @Test
  void throwingDecoderCancelsUpstreamAndEndsTheStreamOnce() {
    TestPublisher<ReceivedFrame> wild =
        TestPublisher.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);
    List<String> dropped = new ArrayList<>();
    Hooks.onErrorDropped(e -> dropped.add(e.getMessage()));
    try {
      Incoming<Integer> picky = frame -> {
        throw new IllegalArgumentException("no");
      };
      StepVerifier.create(new Decode<>(wild.flux(), picky))
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
  void bodyTooShortForItsCodecEndsTheStream() {
    Flux<Long> longs = new Decode<>(source.flux(), Incoming.plain(Codecs.int64()));
    StepVerifier.create(longs)
        .then(() -> source.next(Frames.of(1)))
        .expectError(IllegalArgumentException.class)
        .verify();
  }

  @Test
  void contextOfTheSubscriberReachesUpstream() {
    List<String> seen = new ArrayList<>();
    Flux<ReceivedFrame> frames = Flux.deferContextual(c -> {
      seen.add(c.get("who"));
      return Flux.empty();
    });
    new Decode<>(frames, Incoming.plain(Codecs.int32()))
        .contextWrite(c -> c.put("who", "me"))
        .blockLast();
    assertEquals(List.of("me"), seen);
  }

  @Test
  void envelopesCarryHeadersContextAndTimeLeft() {
    var headers = Headers.empty().with("h", "v");
    var metadata = Metadatas.encode(headers, Map.of("trace", "t1"));
    Envelope<Integer> envelope =
        Enveloped.incoming(Codecs.int32()).decode(Frames.of(5, metadata, 77));
    assertEquals(new Envelope<>(5, headers, Duration.ofNanos(77), Map.of("trace", "t1")), envelope);
  }

  @Test
  void contextOfTheStreamAppliesToMessagesWithoutContext() {
    Incoming<Envelope<Integer>> incoming =
        Enveloped.incoming(Codecs.int32(), () -> Map.of("trace", "stream"));
    var own = Metadatas.encode(Headers.empty(), Map.of("trace", "message"));
    assertEquals(Map.of("trace", "stream"), incoming.decode(Frames.of(1)).context());
    assertEquals(
        Map.of("trace", "message"), incoming.decode(Frames.of(1, own, 0)).context());
  }

  @Test
  void emptyMetadataUsesNoBytes() {
    assertEquals(null, Metadatas.encode(Headers.empty(), Map.of()));
    assertTrue(Metadatas.decode(Frames.of(1)).headers().isEmpty());
  }
}
