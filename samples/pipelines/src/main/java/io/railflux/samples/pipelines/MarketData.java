package io.railflux.samples.pipelines;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Route;
import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Subscriptions to prices by symbol, and the last price of a symbol. */
final class MarketData {

  // tag::routes[]
  record Price(long sequence, double value) {}

  private static final Codec<Price> PRICE = Codecs.record(Price.class);
  static final Route<String, Price> WATCH = new Route<>("watch", Codecs.utf8(), PRICE);
  static final Route<String, Price> LAST = new Route<>("last", Codecs.utf8(), PRICE);
  // end::routes[]

  private final Map<String, Sinks.Many<Price>> feeds = new ConcurrentHashMap<>();
  private final Map<String, Price> last = new ConcurrentHashMap<>();
  private final AtomicInteger watching = new AtomicInteger();

  // tag::serve[]
  Disposable serve(Node node) {
    return Disposables.composite(
        node.respondStream(WATCH, this::watch),
        node.respond(LAST, symbol -> Mono.justOrEmpty(last.get(symbol))));
  }

  /** A slow watcher receives the latest price, not a backlog. */
  private Flux<Price> watch(String symbol) {
    return feed(symbol)
        .asFlux()
        .doOnSubscribe(s -> watching.incrementAndGet())
        .doFinally(end -> watching.decrementAndGet())
        .onBackpressureLatest();
  }
  // end::serve[]

  private Sinks.Many<Price> feed(String symbol) {
    return feeds.computeIfAbsent(symbol, s -> Sinks.many().multicast().directBestEffort());
  }

  void publish(String symbol, Price price) {
    last.put(symbol, price);
    feed(symbol).tryEmitNext(price);
  }

  /** Returns the number of watchers. */
  int watching() {
    return watching.get();
  }

  // tag::client[]
  static Flux<Price> watch(Peer market, String symbol) {
    return market.requestStream(WATCH, symbol);
  }

  static Mono<Price> last(Peer market, String symbol) {
    return market.request(LAST, symbol);
  }
  // end::client[]
}
