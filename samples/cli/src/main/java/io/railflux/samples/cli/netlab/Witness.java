package io.railflux.samples.cli.netlab;

import io.railflux.samples.cli.measure.Payload;
import io.railflux.samples.cli.measure.Reading;
import io.railflux.samples.cli.measure.Work;
import java.util.HashSet;
import java.util.Set;
import reactor.core.publisher.BaseSubscriber;

/** Reads a stream. Records the numbers, the integrity and the arrival times of its messages. */
final class Witness extends BaseSubscriber<Payload> {

  private static final int MIN_TIMED_BYTES = 1 << 10;

  private final Reading reading;
  private final Timeline timeline;
  private final Set<Long> missing = new HashSet<>();
  private long received;
  private long expected;
  private long duplicated;
  private long reordered;
  private long damaged;

  Witness(int sizeBytes) {
    this.reading = new Reading(Work.CHECKSUM, sizeBytes);
    // Small messages are too numerous to record.
    this.timeline = sizeBytes < MIN_TIMED_BYTES ? null : new Timeline(sizeBytes);
  }

  @Override
  protected void hookOnNext(Payload payload) {
    boolean intact = reading.isIntact(payload.buffer(), payload.offset());
    if (timeline != null) {
      timeline.add(System.nanoTime());
    }
    count(payload.number(), intact);
  }

  private synchronized void count(long number, boolean intact) {
    if (!intact) {
      // The number of a damaged message is not reliable.
      damaged++;
      return;
    }
    received++;
    if (number < expected) {
      boolean late = missing.remove(number);
      reordered += late ? 1 : 0;
      duplicated += late ? 0 : 1;
      return;
    }
    for (long skipped = expected; skipped < number; skipped++) {
      missing.add(skipped);
    }
    expected = number + 1;
  }

  synchronized Order.Tally tally() {
    return new Order.Tally(received, missing.size(), duplicated, reordered, damaged);
  }

  Order.Pace within(Order.Span span) {
    return timeline == null ? Order.Pace.NONE : timeline.within(span);
  }

  /** Ignores the end of the stream. The numbers determine the received messages, and the sender reports the end. */
  @Override
  protected void hookOnError(Throwable failure) {
    cancel();
  }
}
