package io.railflux;

import static java.util.Map.entry;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.message.Codecs;
import io.railflux.message.Message;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Operators and cancellations release the memory and the budget of owned messages, and no payload is read with bytes of
 * another message. Half of the runs use {@code doOnDiscard}, which makes operators close dropped messages. No run
 * depends on it.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class DroppedMessagesTest {

  private static final int KIB = 1 << 10;
  private static final int EAGER_BYTES = 4 * KIB;
  private static final int MESSAGES = 60;
  private static final int RUNS_OF_AN_OPERATOR = 4;
  private static final int RUNS_AT_ONCE = 12;
  private static final int RING_BYTES = 64 * KIB;
  /** The budget, in messages of the largest size that passes the ring. */
  private static final int PLACES = 16;

  private static final Duration TICK = Duration.ofMillis(1);
  private static final Scheduler WORKER = Schedulers.newParallel("worker", 3);
  private static final Scheduler BLOCKING = Schedulers.newBoundedElastic(8, 1000, "blocking");

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final AtomicInteger used = new AtomicInteger();

  @AfterAll
  static void disposeWorkers() {
    WORKER.dispose();
    BLOCKING.dispose();
  }

  /** The operators behind {@code receiveMessages}. The end of the chain uses every message that it receives. */
  private Map<String, Function<Flux<Message>, Publisher<?>>> operators() {
    Map<String, Function<Flux<Message>, Publisher<?>>> all = new LinkedHashMap<>();
    Stream.of(queues(), groups(), timed(), selecting(), shared(), collecting())
        .forEach(all::putAll);
    return all;
  }

  private Map<String, Function<Flux<Message>, Publisher<?>>> queues() {
    return Map.ofEntries(
        entry("publishOn", f -> f.publishOn(WORKER)),
        entry("publishOn of one", f -> f.publishOn(WORKER, 1)),
        entry("subscribeOn", f -> f.subscribeOn(WORKER)),
        entry("parallel", f -> f.parallel(3).runOn(WORKER, 8).map(this::use).sequential()),
        entry("limitRate", f -> f.limitRate(4).publishOn(WORKER)),
        entry("onBackpressureBuffer", f -> f.onBackpressureBuffer().publishOn(WORKER, 2)),
        entry("onBackpressureBuffer, bounded", f -> f.onBackpressureBuffer(4).publishOn(WORKER, 1)),
        entry("onBackpressureDrop", f -> f.onBackpressureDrop().publishOn(WORKER, 2)),
        entry("onBackpressureLatest", f -> f.onBackpressureLatest().publishOn(WORKER, 2)),
        entry("flatMap", f -> f.flatMap(m -> later(m), 8)),
        entry("flatMapSequential", f -> f.flatMapSequential(m -> later(m), 8)),
        entry("concatMap", f -> f.concatMap(m -> later(m), 4)),
        entry("switchMap", f -> f.switchMap(m -> later(m))),
        entry("expand", f -> f.expand(m -> Mono.<Message>empty().publishOn(WORKER))),
        entry(
            "toStream",
            f -> blocking(() -> {
              try (Stream<Message> stream = f.toStream(8)) {
                stream.limit(MESSAGES / 2).forEach(this::use);
              }
            })),
        entry("toIterable", f -> blocking(() -> f.toIterable(8).forEach(this::use))));
  }

  private Map<String, Function<Flux<Message>, Publisher<?>>> groups() {
    return Map.ofEntries(
        entry("groupBy", f -> f.groupBy(m -> number(m) % 4).flatMap(group -> group)),
        entry("window", f -> f.window(7).concatMap(window -> window.publishOn(WORKER, 2))),
        entry("window, overlapping", f -> f.window(5, 2).concatMap(window -> window)),
        entry("windowTimeout", f -> f.windowTimeout(7, TICK, WORKER).concatMap(window -> window)),
        entry("windowUntil", f -> f.windowUntil(m -> number(m) % 5 == 0).concatMap(w -> w)),
        entry("buffer", f -> f.buffer(5).publishOn(WORKER, 2)),
        entry("bufferTimeout", f -> f.bufferTimeout(5, TICK, WORKER)),
        entry(
            "bufferTimeout, fair",
            f -> f.bufferTimeout(5, TICK, WORKER, true).publishOn(WORKER, 1)),
        entry("bufferUntil", f -> f.bufferUntil(m -> number(m) % 5 == 0)),
        entry(
            "zip", f -> Flux.zip(f, Flux.interval(TICK, WORKER).onBackpressureDrop(), (m, i) -> m)),
        entry("zipWithIterable", f -> f.zipWithIterable(List.of(1, 2, 3), (m, i) -> m)),
        entry("merge", f -> Flux.merge(f, Flux.<Message>never()).publishOn(WORKER)),
        entry("mergeSequential", f -> Flux.mergeSequential(Flux.<Message>never(), f)),
        entry(
            "mergeComparing",
            f -> Flux.mergeComparing((a, b) -> number(a) - number(b), f, Flux.<Message>never())),
        entry("concat", f -> Flux.concat(f, Flux.<Message>never())),
        entry(
            "withLatestFrom",
            f -> Flux.interval(TICK, WORKER).onBackpressureDrop().withLatestFrom(f, (i, m) -> m)));
  }

  private Map<String, Function<Flux<Message>, Publisher<?>>> timed() {
    return Map.ofEntries(
        entry("timeout", f -> f.publishOn(WORKER, 4).timeout(TICK, WORKER)),
        entry("timeout with a fallback", f -> f.timeout(TICK, Flux.empty(), WORKER)),
        entry("sample", f -> f.sample(TICK)),
        entry("sampleFirst", f -> f.sampleFirst(TICK)),
        entry("sampleTimeout", f -> f.sampleTimeout(m -> Mono.delay(TICK, WORKER), 4)),
        entry("delayElements", f -> f.delayElements(TICK, WORKER)),
        entry("delayUntil", f -> f.delayUntil(m -> Mono.delay(TICK, WORKER))),
        entry("delaySubscription", f -> f.delaySubscription(TICK, WORKER)),
        entry("takeUntilOther", f -> f.takeUntilOther(Mono.delay(TICK, WORKER)).publishOn(WORKER)),
        entry("skipUntilOther", f -> f.skipUntilOther(Mono.delay(TICK, WORKER))),
        entry("elapsed", f -> f.elapsed().map(timed -> timed.getT2())));
  }

  private Map<String, Function<Flux<Message>, Publisher<?>>> selecting() {
    return Map.ofEntries(
        entry("take", f -> f.take(10)),
        entry("take and collect", f -> f.take(10).collectList()),
        entry("takeLast", f -> f.takeLast(3)),
        entry("takeWhile", f -> f.takeWhile(m -> number(m) < 20)),
        entry("next", f -> f.next()),
        entry("last", f -> f.last()),
        entry("elementAt", f -> f.elementAt(5)),
        entry("skip", f -> f.skip(5)),
        entry("skipLast", f -> f.skipLast(5)),
        entry("filter", f -> f.filter(m -> number(m) % 3 == 0)),
        entry(
            "filterWhen", f -> f.filterWhen(m -> Mono.just(number(m) % 3 == 0).publishOn(WORKER))),
        entry("distinct", f -> f.distinct(m -> number(m) % 8)),
        entry("distinctUntilChanged", f -> f.distinctUntilChanged(m -> number(m) / 3)),
        entry("ignoreElements", f -> f.ignoreElements()),
        entry("any", f -> f.any(m -> number(m) == 9)));
  }

  private Map<String, Function<Flux<Message>, Publisher<?>>> shared() {
    return Map.ofEntries(
        entry("replay", f -> f.replay(4).autoConnect(1)),
        entry("replay, counted", f -> f.replay(4).refCount(1)),
        entry("publish", f -> f.publish(8).refCount(1)),
        entry("share", f -> f.share()),
        entry("cache", f -> f.take(20).cache(4)),
        entry(
            "retry",
            f -> f.concatMap(m -> number(m) == 9 ? failed(m) : later(m)).retry(1)),
        entry("repeat", f -> f.publishOn(WORKER).repeat()),
        entry(
            "onErrorResume",
            f -> f.concatMap(m -> number(m) == 9 ? failed(m) : later(m))
                .onErrorResume(e -> Flux.empty())));
  }

  private Map<String, Function<Flux<Message>, Publisher<?>>> collecting() {
    return Map.ofEntries(
        entry("collectList", f -> f.collectList()),
        entry("collectMap", f -> f.collectMap(m -> number(m) % 4).map(map -> map.values())),
        entry("collectSortedList", f -> f.collectSortedList((a, b) -> number(b) - number(a))),
        entry("reduce", f -> f.reduce((one, other) -> other)),
        entry("scan", f -> f.scan((one, other) -> other)),
        entry("materialize", f -> f.materialize().publishOn(WORKER).<Message>dematerialize()),
        entry("index", f -> f.index().publishOn(WORKER).map(indexed -> indexed.getT2())),
        entry(
            "handle",
            f -> f.<Message>handle((m, sink) -> {
              if (number(m) % 2 == 0) {
                sink.next(m);
              }
            })));
  }

  private static Mono<Message> later(Message message) {
    return Mono.just(message).publishOn(WORKER);
  }

  private Mono<Message> failed(Message message) {
    use(message);
    return Mono.error(new IllegalStateException("on purpose"));
  }

  private static Mono<Void> blocking(Runnable task) {
    return Mono.<Void>fromRunnable(task).subscribeOn(BLOCKING);
  }

  private static byte[] payload(int stream, int number, int bytes) {
    ByteBuffer payload = ByteBuffer.allocate(bytes).putInt(stream).putInt(number);
    while (payload.hasRemaining()) {
      payload.put((byte) (stream * 31 + number));
    }
    return payload.array();
  }

  private static int number(Message message) {
    return Integer.reverseBytes(message.payload().getInt(4));
  }

  /** Reads a message and closes it, as an owner does. */
  private Message use(Message message) {
    ByteBuffer payload;
    try (message) {
      try {
        payload = message.payload().duplicate();
      } catch (IllegalStateException closed) {
        // The message arrives twice behind an operator that repeats elements.
        return message;
      }
      int stream = payload.getInt();
      int number = payload.getInt();
      while (payload.hasRemaining()) {
        byte read = payload.get();
        if (read != (byte) (stream * 31 + number)) {
          wrong.add("message " + number + " of stream " + stream + " has " + read + " at "
              + payload.position());
          return message;
        }
      }
    }
    used.incrementAndGet();
    return message;
  }

  private void useAll(Object received) {
    if (received instanceof Message message) {
      use(message);
    } else if (received instanceof Iterable<?> several) {
      several.forEach(this::useAll);
    }
  }

  private record Ends(Node receiving, Peer from, Node sending, Peer to) {}

  private Ends connected(String fabric) {
    Nodes.Pair pair = fabric.equals("tcp")
        ? overTcp(overTcp("server"), overTcp("client"))
        : nodes.pair(DroppedMessagesTest::small);
    return new Ends(pair.server(), pair.toClient(), pair.client(), pair.toServer());
  }

  private Nodes.Pair overTcp(Node server, Node client) {
    return nodes.join(server, client, server.bind("tcp:127.0.0.1:0").block(Nodes.PATIENCE));
  }

  private Node overTcp(String name) {
    return nodes.start(name, config -> small(config.fabrics(new TcpFabricProvider())));
  }

  private static Railflux small(Railflux config) {
    return config
        .ringBytes(RING_BYTES)
        .eagerLimitBytes(EAGER_BYTES)
        .maxMessageBytes(64 * KIB)
        .messageBudgetBytes(PLACES * RING_BYTES / 8)
        .receiveBudgetBytes(1024 * KIB);
  }

  @ParameterizedTest
  @CsvSource({"shm, 4096", "shm, 24576", "tcp, 4096", "tcp, 24576"})
  void releasesAllMemoryAndReadsNoForeignBytes(String fabric, int bytes) {
    Ends ends = connected(fabric);
    Random random = new Random(48);
    List<Mono<Void>> runs = new ArrayList<>();
    var operators = operators();
    assertTrue(operators.size() >= 38);
    for (int i = 0; i < RUNS_OF_AN_OPERATOR; i++) {
      for (var operator : operators.entrySet()) {
        int stream = runs.size();
        boolean discards = random.nextBoolean();
        // Beyond the last message, the stream ends by itself, if its operator does.
        int cancelAt = random.nextInt(MESSAGES * 5 / 4);
        runs.add(run(ends, stream, bytes, operator.getValue(), discards, cancelAt)
            .checkpoint(operator.getKey()));
      }
    }
    Flux.merge(Flux.fromIterable(runs), RUNS_AT_ONCE).blockLast(Duration.ofSeconds(100));

    assertEquals(List.of(), List.copyOf(wrong));
    assertTrue(used.get() > runs.size(), "only " + used + " messages were read");
    awaitNothingTaken(ends);
    fillsTheWholeBudget(ends);
  }

  /**
   * Runs one stream with one operator. The stream ends by itself, or another thread cancels it after message {@code
   * cancelAt}, or when the stream stalls.
   */
  private Mono<Void> run(
      Ends ends,
      int stream,
      int bytes,
      Function<Flux<Message>, Publisher<?>> operator,
      boolean discards,
      int cancelAt) {
    return Mono.defer(() -> {
      String name = "run " + stream;
      Sinks.Empty<Void> over = Sinks.empty();
      Disposable sending = ends.to()
          .send(name, Codecs.bytes(), Flux.range(0, MESSAGES).map(i -> payload(stream, i, bytes)))
          .subscribe(x -> {}, e -> {});
      Flux<Message> messages = ends.from().receiveMessages(name).doOnNext(m -> {
        if (number(m) == cancelAt) {
          over.tryEmitEmpty();
        }
      });
      Flux<?> received = Flux.from(operator.apply(messages)).doFinally(end -> over.tryEmitEmpty());
      Flux<?> discarding =
          discards ? received.doOnDiscard(Message.class, Message::close) : received;
      Disposable receiving = discarding.subscribe(this::useAll, e -> {});
      return over.asMono()
          .timeout(Duration.ofMillis(200), Mono.empty(), WORKER)
          .publishOn(WORKER)
          .doFinally(end -> {
            receiving.dispose();
            sending.dispose();
          });
    });
  }

  private static void awaitNothingTaken(Ends ends) {
    await().atMost(Duration.ofSeconds(20)).pollInterval(Duration.ofMillis(20)).untilAsserted(() -> {
      // Operators of completed streams may have dropped messages as well.
      System.gc();
      assertEquals(0, ends.receiving().messages().outstandingBytes(), "owned messages");
      assertEquals(0, ends.receiving().engine().largeMessageBytes(), "received large messages");
      assertEquals(0, ends.sending().engine().largeMessageBytes(), "sent large messages");
    });
  }

  private static void fillsTheWholeBudget(Ends ends) {
    Queue<Message> kept = new ConcurrentLinkedQueue<>();
    Flux<byte[]> probe = Flux.range(0, MESSAGES).map(i -> payload(0, i, EAGER_BYTES));
    ends.to()
        .send("probe", Codecs.bytes(), probe.concatWith(Flux.never()))
        .subscribe(x -> {}, e -> {});
    Disposable receiving = ends.from().receiveMessages("probe").subscribe(kept::add);
    await().atMost(Nodes.PATIENCE).until(() -> kept.size() >= PLACES);
    receiving.dispose();
    assertEquals(0, ends.receiving().messages().outstandingBytes());
  }
}
