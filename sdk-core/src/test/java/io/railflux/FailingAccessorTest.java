package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.context.ContextRegistry;
import io.railflux.exceptions.RemoteStreamException;
import io.railflux.message.Codecs;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Accessors of thread-local values are application code and may throw. The affected stream or request fails. No bytes
 * are sent that the codec did not write, and no caller waits forever.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FailingAccessorTest {

  private static final String KEY = "failing";
  private static final Route<Integer, Integer> ECHO =
      new Route<>("echo", Codecs.int32(), Codecs.int32());

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private static void set(String value) {
    String thread = Thread.currentThread().getName();
    if (thread.equals("railflux-" + value)) {
      throw new IllegalStateException("on purpose, in " + thread);
    }
  }

  @BeforeEach
  void enable() {
    Consumer<String> setter = FailingAccessorTest::set;
    ContextRegistry.getInstance().registerThreadLocalAccessor(KEY, () -> null, setter, () -> {});
    Hooks.enableAutomaticContextPropagation();
  }

  @AfterEach
  void disable() {
    Hooks.disableAutomaticContextPropagation();
    ContextRegistry.getInstance().removeThreadLocalAccessor(KEY);
  }

  private Nodes.Pair pair() {
    Nodes.Pair pair = nodes.pair(config -> config.propagateContext(KEY));
    pair.server().respond(ECHO, value -> Mono.just(value + 1));
    return pair;
  }

  /** Makes the engine thread of a node fail to set the value. */
  private static Context failsOn(Node node) {
    return Context.of(KEY, node.name());
  }

  private static void assertOnPurpose(Mono<?> failing) {
    Exception failure = assertThrows(RuntimeException.class, () -> failing.block(Nodes.PATIENCE));
    assertTrue(failure.getMessage().contains("on purpose"), failure.toString());
  }

  private static void assertWorks(Nodes.Pair pair) {
    assertEquals(2, pair.toServer().request(ECHO, 1).block(Nodes.PATIENCE));
  }

  /** Reactor cannot notify the sender, because it sets the value before the signal. */
  @Test
  void failedSenderSendsNothing() {
    Nodes.Pair pair = pair();
    pair.toServer()
        .send("s", Codecs.int32(), Flux.range(0, 3))
        .contextWrite(failsOn(pair.client()))
        .subscribe(x -> {}, e -> {});

    Mono<List<Integer>> got = pair.toClient().receive("s", Codecs.int32()).collectList();
    assertThrows(RemoteStreamException.class, () -> got.block(Nodes.PATIENCE));
    assertWorks(pair);
  }

  @Test
  void failedReceiverStopsItsProducer() throws InterruptedException {
    Nodes.Pair pair = pair();
    CountDownLatch cancelled = new CountDownLatch(1);
    Flux<Integer> source = Flux.just(1).concatWith(Flux.never()).doOnCancel(cancelled::countDown);
    pair.toServer().send("s", Codecs.int32(), source).subscribe(x -> {}, e -> {});
    pair.toClient()
        .receive("s", Codecs.int32())
        .contextWrite(failsOn(pair.server()))
        .subscribe(x -> {}, e -> {});

    assertTrue(cancelled.await(Nodes.PATIENCE.toSeconds(), TimeUnit.SECONDS));
    assertWorks(pair);
  }

  @Test
  void requesterFails() {
    Nodes.Pair pair = pair();
    assertOnPurpose(pair.toServer().request(ECHO, 1).contextWrite(failsOn(pair.client())));
    assertWorks(pair);
  }

  @Test
  void handlerIsNotCalledAndItsRequesterReceivesTheReason() {
    Nodes.Pair pair = pair();
    assertOnPurpose(pair.toServer().request(ECHO, 1).contextWrite(failsOn(pair.server())));
    assertWorks(pair);
  }
}
