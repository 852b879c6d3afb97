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

/** What a source does at its end happens, also where nobody wants more than it has. */
class EncodeEndsTest {

  private final FakeSlots slots = new FakeSlots();
  private final List<String> signals = new ArrayList<>();
  private final BaseSubscriber<Slot> downstream = new BaseSubscriber<>() {
    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      // Each test says how many.
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

  /** What it fails with it says only when asked for more than is left. */
  @Test
  void aSynchronousSourceThatFailsBehindTheLastValueWantedFails() {
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
  void aSynchronousSourceGivesBackWhatItHoldsBehindTheLastValueWanted() {
    encode(Flux.using(() -> "file", file -> Flux.range(1, 2), file -> signals.add("closed")));
    downstream.request(2);

    assertEquals(List.of("value", "value", "closed", "onComplete"), signals);
  }

  @Test
  void aSourceThatEndedIsNotCancelledWithWhatStillWaits() {
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
