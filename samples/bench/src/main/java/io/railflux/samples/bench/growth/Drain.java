package io.railflux.samples.bench.growth;

import io.railflux.samples.cli.measure.Payload;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/** Reads a stream and verifies the numbers of its messages. Engine thread, except for requests. */
final class Drain extends BaseSubscriber<Payload> {

  private final Tally received;
  private final Tally misplaced;
  private final long firstRequest;
  private long expected;
  private long touched;

  /**
   * @param firstRequest {@link Long#MAX_VALUE} for no bound, 0 if others request
   */
  Drain(Tally received, Tally misplaced, long firstRequest) {
    this.received = received;
    this.misplaced = misplaced;
    this.firstRequest = firstRequest;
  }

  /** Returns the sum of all words read, so that no read is optimized away. */
  long touched() {
    return touched;
  }

  @Override
  protected void hookOnSubscribe(Subscription subscription) {
    if (firstRequest > 0) {
      request(firstRequest);
    }
  }

  @Override
  protected void hookOnNext(Payload payload) {
    if (payload.number() != expected) {
      misplaced.add();
    }
    touched ^= Payload.touch(payload.buffer(), payload.offset(), payload.encodedLength());
    expected = payload.number() + 1;
    received.add();
  }
}
