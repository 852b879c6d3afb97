package io.railflux.samples.pipelines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.Peer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

class WordCountTest {

  @Test
  void returnsCountsPerWindow() {
    try (Connected nodes = new Connected()) {
      WordCount.serve(nodes.server, 2);
      Flux<String> lines = Flux.just("to be or", "not to be", "that is");
      List<Map<String, Integer>> counts =
          WordCount.ask(nodes.client("poet"), lines).collectList().block(Connected.PATIENCE);
      assertEquals(
          List.of(Map.of("to", 2, "be", 2, "or", 1, "not", 1), Map.of("that", 1, "is", 1)), counts);
    }
  }

  @Test
  void countsEachClientSeparately() {
    try (Connected nodes = new Connected()) {
      WordCount.serve(nodes.server, 10);
      for (String word : List.of("one", "two", "three")) {
        Peer peer = nodes.client(word);
        assertEquals(
            Map.of(word, 5),
            WordCount.ask(peer, Flux.just(word).repeat(4)).blockFirst(Connected.PATIENCE));
      }
    }
  }

  @Test
  void clientWithoutDemandForCountsStopsItsLines() {
    try (Connected nodes = new Connected()) {
      WordCount.serve(nodes.server, 1);
      AtomicInteger made = new AtomicInteger();
      Flux<String> lines = Flux.range(1, 1_000_000).map(i -> "line " + made.incrementAndGet());
      WordCount.ask(nodes.client("lazy"), lines).take(10, true).blockLast(Connected.PATIENCE);
      assertTrue(made.get() < 10_000, "made " + made.get());
    }
  }

  @Test
  void rejectsAnImpossibleLength() {
    ByteBuffer hostile = ByteBuffer.allocate(8).putInt(0, 1).putInt(4, Integer.MAX_VALUE);
    assertThrows(IllegalArgumentException.class, () -> WordCount.COUNTS.decode(hostile));
  }
}
