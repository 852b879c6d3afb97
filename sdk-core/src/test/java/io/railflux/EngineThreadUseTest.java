package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.message.Codecs;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What a subscriber may try with the engine thread it is called on. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class EngineThreadUseTest {

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private static void assertAlive(Nodes.Pair pair) {
    var both = Mono.zip(
        pair.toClient().receive("alive", Codecs.int32()).collectList(),
        pair.toServer().send("alive", Codecs.int32(), Flux.just(1, 2)).thenReturn(true));
    assertEquals(List.of(1, 2), both.block(Nodes.PATIENCE).getT1());
  }

  /** He would wait for himself. */
  @Test
  void blockingForAResultIsRefused() {
    Nodes.Pair pair = nodes.pair();
    AtomicReference<Throwable> refusal = new AtomicReference<>();
    pair.toClient()
        .receive("n", Codecs.int32())
        .doOnNext(n -> pair.toClient().onClose().block())
        .subscribe(x -> {}, refusal::set);
    pair.toServer().send("n", Codecs.int32(), Flux.just(1)).subscribe(x -> {}, e -> {});
    await().until(() -> refusal.get() != null);

    assertTrue(refusal.get().getMessage().contains("blocking"), refusal.get().toString());
    assertAlive(pair);
  }

  /** Files an interrupted thread opens are closed at once, and its selector does not sleep. */
  @Test
  void interruptingItChangesNothing() {
    Nodes.Pair pair = nodes.pair();
    pair.toClient()
        .receive("n", Codecs.int32())
        .subscribe(n -> Thread.currentThread().interrupt(), e -> {});
    pair.toServer().send("n", Codecs.int32(), Flux.range(0, 3)).block(Nodes.PATIENCE);

    assertAlive(nodes.connect(pair.server(), nodes.start("another")));
    assertAlive(pair);
  }
}
