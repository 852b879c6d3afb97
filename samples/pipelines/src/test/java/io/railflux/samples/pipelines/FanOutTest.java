package io.railflux.samples.pipelines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.Peer;
import io.railflux.samples.pipelines.FanOut.Tick;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class FanOutTest {

  private static final Flux<Tick> TICKS = Flux.range(1, 5_000).map(i -> new Tick(i, i / 4.0));

  @Test
  void everyReaderGetsEveryTickInOrder() {
    try (Connected nodes = new Connected()) {
      Mono<Void> sent = FanOut.everyTick(nodes.server, TICKS, 3);
      List<Tick> expected = TICKS.collectList().block();
      List<List<Tick>> got = Flux.just("a", "b", "c")
          .map(nodes::client)
          .collectList()
          .flatMap(peers -> Flux.fromIterable(peers).flatMap(FanOutTest::all).collectList())
          .zipWith(sent.thenReturn(true), (lists, done) -> lists)
          .block(Connected.PATIENCE);
      assertEquals(List.of(expected, expected, expected), got);
    }
  }

  private static Mono<List<Tick>> all(Peer peer) {
    return peer.receive("ticks", FanOut.TICK).collectList();
  }

  @Test
  void slowReaderSkipsToTheLatestTick() {
    try (Connected nodes = new Connected()) {
      Flux<Tick> timed = TICKS.take(200).delayElements(Duration.ofMillis(1));
      FanOut.latestTick(nodes.server, timed, 2).subscribe();
      Mono<List<Tick>> quick = all(nodes.client("quick"));
      Mono<List<Tick>> slow = nodes
          .client("slow")
          .receive("ticks", FanOut.TICK)
          .limitRate(1)
          .concatMap(tick -> Mono.just(tick).delayElement(Duration.ofMillis(20)), 1)
          .collectList();
      var both = Mono.zip(quick, slow).block(Connected.PATIENCE);
      List<Tick> seen = both.getT2();
      assertTrue(seen.size() < 100, "saw " + seen.size());
      assertTrue(both.getT1().size() > seen.size(), "the slow reader slowed the quick one");
      assertEquals(200, seen.get(seen.size() - 1).number());
    }
  }
}
