package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.message.Codecs;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.test.StepVerifier;

/** Operations of a subscriber on the engine thread that calls it. */
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

  /** The thread would wait for itself. */
  @Test
  void rejectsABlockingWait() {
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

  /** Runs Reactor's timed operators, as any scheduler does. */
  @Test
  void tasksOfUsersRunOnIt() {
    Nodes.Pair pair = nodes.pair();
    Scheduler scheduler = pair.client().scheduler();
    Set<String> threads = ConcurrentHashMap.newKeySet();
    Duration every = Duration.ofMillis(1);
    StepVerifier.create(Flux.interval(every, scheduler)
            .take(20)
            .doOnNext(n -> threads.add(Thread.currentThread().getName())))
        .expectNextSequence(LongStream.range(0, 20).boxed().toList())
        .expectComplete()
        .verify(Nodes.PATIENCE);
    StepVerifier.create(Mono.never().timeout(every, scheduler))
        .expectError(TimeoutException.class)
        .verify(Nodes.PATIENCE);
    scheduler.dispose();

    assertEquals(Set.of("railflux-" + pair.client().name()), threads);
    assertAlive(pair);
  }

  @Test
  void scheduledTasksEndWithTheNode() {
    Node node = nodes.start("closing");
    Scheduler scheduler = node.scheduler();
    AtomicInteger ran = new AtomicInteger();
    scheduler.schedulePeriodically(ran::incrementAndGet, 0, 1, TimeUnit.NANOSECONDS);
    await().until(() -> ran.get() > 1_000);
    node.close().block(Nodes.PATIENCE);
    await().until(scheduler::isDisposed);
    assertThrows(RejectedExecutionException.class, () -> scheduler.schedule(ran::incrementAndGet));

    AtomicInteger before = new AtomicInteger(-1);
    await().until(() -> before.getAndSet(ran.get()) == ran.get());
  }

  @Test
  void endIsSignalledOnIt() {
    Nodes.Pair pair = nodes.pair();
    Scheduler scheduler = pair.server().scheduler();
    Mono<List<Peer>> peers = pair.server().peers().publishOn(scheduler).collectList();
    Mono<String> closed = pair.toClient().onClose().publishOn(scheduler).thenReturn("closed");
    Mono<Void> close = pair.server().close();

    StepVerifier.create(Mono.zip(peers, closed, close.thenReturn(true)))
        .assertNext(result -> assertEquals(1, result.getT1().size()))
        .expectComplete()
        .verify(Nodes.PATIENCE);
  }

  /** Files opened by an interrupted thread are closed immediately, and its selector does not sleep. */
  @Test
  void interruptHasNoEffect() {
    Nodes.Pair pair = nodes.pair();
    pair.toClient()
        .receive("n", Codecs.int32())
        .subscribe(n -> Thread.currentThread().interrupt(), e -> {});
    pair.toServer().send("n", Codecs.int32(), Flux.range(0, 3)).block(Nodes.PATIENCE);

    assertAlive(nodes.connect(pair.server(), nodes.start("another")));
    assertAlive(pair);
  }
}
