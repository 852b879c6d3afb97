package io.railflux.samples.cli.netlab;

import io.railflux.Peer;
import io.railflux.samples.cli.measure.Payload;
import io.railflux.samples.cli.measure.PayloadCodec;
import java.time.Duration;
import java.util.function.Consumer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SynchronousSink;

/** A stream that has a message for every request, until it is stopped. */
final class Source implements Consumer<SynchronousSink<Payload>> {

  private final Payload payload = new Payload();
  private final Mono<Void> sent;
  private volatile boolean stopped;
  private long number;

  private Source(Peer peer, int stream, int sizeBytes) {
    payload.wrap(Payload.fill(sizeBytes), 0, sizeBytes);
    sent = peer.send(Order.name(stream), new PayloadCodec(sizeBytes), Flux.generate(this))
        .cache();
  }

  static Source start(Peer peer, int stream, int sizeBytes) {
    Source source = new Source(peer, stream, sizeBytes);
    // A caller that waits for the end receives the failure.
    source.sent.subscribe(null, failure -> {});
    return source;
  }

  @Override
  public void accept(SynchronousSink<Payload> sink) {
    if (stopped) {
      sink.complete();
    } else {
      sink.next(payload.number(number++));
    }
  }

  void stop() {
    stopped = true;
  }

  /** Waits until all messages are acknowledged. Returns the number of sent messages. */
  long end(Duration patience) {
    stop();
    sent.block(patience);
    return number;
  }
}
