package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.measure.Payload;
import io.railflux.samples.cli.measure.Reading;
import io.railflux.samples.cli.measure.Work;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/** Reads a stream, verifies the numbers of its messages and counts them. */
@SuppressWarnings("NonAtomicVolatileUpdate") // Each field has one writer.
final class Counting extends BaseSubscriber<Payload> {

  // Written for every message. A full fence per message would distort the measurement.
  private static final AtomicLongFieldUpdater<Counting> RECEIVED =
      AtomicLongFieldUpdater.newUpdater(Counting.class, "received");

  private final long firstRequest;
  private final Reading reading;
  private volatile long received;
  private volatile long requested;
  private volatile long misplaced;
  private volatile long damaged;
  private long expected;

  /**
   * @param firstRequest {@link Long#MAX_VALUE} for no bound
   */
  Counting(long firstRequest, Reading reading) {
    this.firstRequest = firstRequest;
    this.reading = reading;
  }

  /** Returns an instance that counts nothing. */
  static Counting none() {
    return new Counting(0, new Reading(Work.TOUCH, Payload.MIN_BYTES));
  }

  long received() {
    return received;
  }

  long requested() {
    return requested;
  }

  long misplaced() {
    return misplaced;
  }

  long damaged() {
    return damaged;
  }

  @Override
  protected void hookOnSubscribe(Subscription subscription) {
    more(firstRequest);
  }

  /** Called on any one thread. */
  void more(long count) {
    requested += count;
    request(count);
  }

  @Override
  protected void hookOnNext(Payload payload) {
    if (payload.number() != expected) {
      misplaced = misplaced + 1;
    }
    if (!reading.isIntact(payload.buffer(), payload.offset())) {
      damaged = damaged + 1;
    }
    expected = payload.number() + 1;
    RECEIVED.lazySet(this, expected);
  }
}
