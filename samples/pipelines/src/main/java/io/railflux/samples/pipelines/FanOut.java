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
  /** Every reader gets every tick: the slowest one sets the pace. */
  static Mono<Void> everyTick(Node node, Flux<Tick> ticks, int readers) {
    Flux<Tick> shared = ticks.publish().autoConnect(readers);
    return node.peers()
        .take(readers)
        .flatMap(peer -> peer.send("ticks", TICK, shared))
        .then();
  }
  // end::every[]

  // tag::latest[]
  /** Each reader gets the latest tick when it asks for one: nobody slows anybody down. */
  static Mono<Void> latestTick(Node node, Flux<Tick> ticks, int readers) {
    Flux<Tick> shared = ticks.publish().autoConnect(readers);
    return node.peers()
        .take(readers)
        .flatMap(peer -> peer.send("ticks", TICK, shared.onBackpressureLatest())
            // A reader that leaves is no reason to stop for the others.
            .onErrorResume(RailfluxException.class, left -> Mono.empty()))
        .then();
  }
  // end::latest[]
}
