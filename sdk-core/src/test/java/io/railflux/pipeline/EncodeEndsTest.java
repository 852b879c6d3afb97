package io.railflux.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.message.Codecs;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.SignalType;
import reactor.test.publisher.TestPublisher;

/** The end of a source is processed even without demand beyond its last value. */
class EncodeEndsTest {

  private final FakeSlots slots = new FakeSlots();
  private final List<String> signals = new ArrayList<>();
  private final BaseSubscriber<Slot> downstream = new BaseSubscriber<>() {
    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      // Each test grants its own number of slots.
    }

    @Override
    protected void hookOnNext(Slot slot) {
      signals.add("value");
    }

    @Override
    protected void hookOnError(Throwable error) {
      signals.add(error.getMessage());
    }

    @Override
    protected void hookFinally(SignalType type) {
      signals.add(type.toString());
    }
  };

  private void encode(Flux<Integer> source) {
    new Encode<>(source, Outgoing.plain("n", Codecs.int32()), slots).subscribe(downstream);
  }

  /** The source reports its failure only for a request beyond its last value. */
  @Test
  void synchronousSourceThatFailsAfterTheLastRequestedValueFails() {
    encode(Flux.generate(() -> 1, (number, sink) -> {
      sink.next(number);
      if (number == 2) {
        sink.error(new IllegalStateException("no third one"));
      }
      return number + 1;
    }));
    downstream.request(2);

    assertEquals(List.of("value", "value", "no third one", "onError"), signals);
  }

  @Test
  void synchronousSourceReleasesItsResourcesAfterTheLastRequestedValue() {
    encode(Flux.using(() -> "file", file -> Flux.range(1, 2), file -> signals.add("closed")));
    downstream.request(2);

    assertEquals(List.of("value", "value", "closed", "onComplete"), signals);
  }

  @Test
  void endedSourceIsNotCancelledWithWaitingValues() {
    TestPublisher<Integer> source = TestPublisher.create();
    slots.room = 0;
    encode(source.flux());
    downstream.request(10);
    source.next(1).complete();
    downstream.cancel();

    source.assertNotCancelled();
    assertEquals(List.of("cancel"), signals);
  }
}
