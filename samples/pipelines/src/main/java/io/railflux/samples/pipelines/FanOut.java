package io.railflux.samples.pipelines;

import io.railflux.Node;
import io.railflux.exceptions.RailfluxException;
import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** One source for several peers, each at its own pace. */
final class FanOut {

  record Tick(long number, double price) {}

  static final Codec<Tick> TICK = Codecs.record(Tick.class);

  private FanOut() {}

  // tag::every[]
  /** Every reader receives every tick, at the pace of the slowest. */
  static Mono<Void> everyTick(Node node, Flux<Tick> ticks, int readers) {
    Flux<Tick> shared = ticks.publish().autoConnect(readers);
    return node.peers()
        .take(readers)
        .flatMap(peer -> peer.send("ticks", TICK, shared))
        .then();
  }
  // end::every[]

  // tag::latest[]
  /** Each reader receives the latest tick on demand; no reader slows down another. */
  static Mono<Void> latestTick(Node node, Flux<Tick> ticks, int readers) {
    Flux<Tick> shared = ticks.publish().autoConnect(readers);
    return node.peers()
        .take(readers)
        .flatMap(peer -> peer.send("ticks", TICK, shared.onBackpressureLatest())
            // The end of one reader does not end the others.
            .onErrorResume(RailfluxException.class, left -> Mono.empty()))
        .then();
  }
  // end::latest[]
}
