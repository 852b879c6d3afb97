package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.measure.Pace;
import io.railflux.samples.cli.measure.Payload;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.SynchronousSink;

/**
 * Messages numbered from 0, produced on demand until a time. Reads the clock rarely. One message object suffices,
 * because the next request follows the encoding of this message.
 */
final class Production implements Consumer<SynchronousSink<Payload>> {

  private final Payload payload = new Payload();
  private final long untilNanos;
  private final int clockMask;
  private long number;

  /**
   * @param fill content of all messages, from {@link Payload#fill}, which is expensive
   */
  Production(ByteBuffer fill, int sizeBytes, long untilNanos) {
    this.payload.wrap(fill, 0, sizeBytes);
    this.untilNanos = untilNanos;
    this.clockMask = Pace.clockMask(sizeBytes);
  }

  Flux<Payload> messages() {
    return Flux.generate(this);
  }

  @Override
  public void accept(SynchronousSink<Payload> sink) {
    if ((number & clockMask) == 0 && System.nanoTime() - untilNanos >= 0) {
      sink.complete();
      return;
    }
    sink.next(payload.number(number++));
  }

  /** Engine thread, or any thread after the end. */
  long count() {
    return number;
  }
}
