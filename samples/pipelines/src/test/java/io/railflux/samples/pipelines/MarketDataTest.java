package io.railflux.samples.pipelines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.Peer;
import io.railflux.samples.pipelines.MarketData.Price;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class MarketDataTest {

  private final MarketData market = new MarketData();

  @Test
  void watchersReceiveThePricesOfTheirSymbolOnly() {
    try (Connected nodes = new Connected()) {
      market.serve(nodes.server);
      Peer peer = nodes.client("trader");
      Mono<List<Price>> watched = MarketData.watch(peer, "RFX").take(3).collectList();
      List<Price> prices = watched
          .zipWith(publishing().thenReturn(true), (list, done) -> list)
          .block(Connected.PATIENCE);
      assertEquals(List.of(new Price(1, 1.5), new Price(2, 2.5), new Price(3, 3.5)), prices);
    }
  }

  @Test
  void cancelledWatchersAreNoLongerServed() {
    try (Connected nodes = new Connected()) {
      market.serve(nodes.server);
      Peer peer = nodes.client("trader");
      MarketData.watch(peer, "RFX")
          .take(1)
          .zipWith(publishing().thenReturn(true).repeat())
          .blockLast(Connected.PATIENCE);
      assertTrue(becomes(0), "still serving " + market.watching());
    }
  }

  @Test
  void lastPriceIsEmptyBeforeTheFirstPrice() {
    try (Connected nodes = new Connected()) {
      market.serve(nodes.server);
      Peer peer = nodes.client("trader");
      assertNull(MarketData.last(peer, "RFX").block(Connected.PATIENCE));
      market.publish("RFX", new Price(7, 7.5));
      assertEquals(new Price(7, 7.5), MarketData.last(peer, "RFX").block(Connected.PATIENCE));
    }
  }

  /** Publishes after the first watcher subscribed. */
  private Mono<Void> publishing() {
    return Mono.fromCallable(() -> becomes(1))
        .subscribeOn(reactor.core.scheduler.Schedulers.boundedElastic())
        .then(Mono.fromRunnable(() -> {
          for (int i = 1; i <= 3; i++) {
            market.publish("OTHER", new Price(i, -1));
            market.publish("RFX", new Price(i, i + 0.5));
          }
        }));
  }

  private boolean becomes(int watchers) {
    return Boolean.TRUE.equals(Flux.interval(Duration.ofMillis(1))
        .any(tick -> market.watching() == watchers)
        .block(Connected.PATIENCE));
  }
}
