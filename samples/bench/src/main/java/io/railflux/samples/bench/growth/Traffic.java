package io.railflux.samples.bench.growth;

import io.railflux.samples.cli.measure.Payload;
import io.railflux.samples.cli.measure.PayloadCodec;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.SynchronousSink;

/** Streams that always have a message to send, until all of them are stopped. */
final class Traffic {

  static final int SMALL_BYTES = 64;

  private final ByteBuffer fill;
  private final PayloadCodec codec;
  private final int sizeBytes;
  private volatile boolean stopped;

  Traffic(int sizeBytes) {
    this.fill = Payload.fill(sizeBytes);
    this.codec = new PayloadCodec(sizeBytes);
    this.sizeBytes = sizeBytes;
  }

  PayloadCodec codec() {
    return codec;
  }

  /**
   * @param tally of the engine thread that requests the messages
   */
  Flux<Payload> messages(Tally tally) {
    return Flux.generate(new Source(tally));
  }

  /** Ends each stream at the request for its next message. */
  void stop() {
    stopped = true;
  }

  /** One message object suffices, because the next request follows the encoding of this message. */
  private final class Source implements Consumer<SynchronousSink<Payload>> {

    private final Payload payload = new Payload();
    private final Tally tally;
    private long number;

    Source(Tally tally) {
      this.tally = tally;
      payload.wrap(fill, 0, sizeBytes);
    }

    @Override
    public void accept(SynchronousSink<Payload> sink) {
      if (stopped) {
        sink.complete();
        return;
      }
      tally.add();
      sink.next(payload.number(number++));
    }
  }
}
