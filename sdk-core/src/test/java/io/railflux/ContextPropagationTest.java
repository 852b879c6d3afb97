package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.micrometer.context.ContextRegistry;
import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import io.railflux.message.Envelope;
import io.railflux.message.Message;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/**
 * Under {@link Hooks#enableAutomaticContextPropagation()}, user code that the engine thread calls sees the thread-local
 * values of its Reactor context. Other code does not see them.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ContextPropagationTest {

  private static final String KEY = "trace";
  private static final String NOTHING = "nothing";
  private static final ThreadLocal<String> TRACE = new ThreadLocal<>();
  private static final Context SENDER = Context.of(KEY, "sender");
  private static final Context RECEIVER = Context.of(KEY, "receiver");

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private final Map<String, Set<String>> seen = new ConcurrentHashMap<>();

  @BeforeEach
  void enable() {
    ContextRegistry.getInstance().registerThreadLocalAccessor(KEY, TRACE);
    Hooks.enableAutomaticContextPropagation();
  }

  @AfterEach
  void disable() {
    Hooks.disableAutomaticContextPropagation();
    ContextRegistry.getInstance().removeThreadLocalAccessor(KEY);
  }

  private Nodes.Pair pair(String fabric) {
    if (fabric.equals("shm")) {
      return nodes.pair(config -> config.propagateContext(KEY));
    }
    Node server = nodes.start("server", ContextPropagationTest::overTcp);
    Node client = nodes.start("client", ContextPropagationTest::overTcp);
    return nodes.join(server, client, server.bind("tcp:127.0.0.1:0").block(Nodes.PATIENCE));
  }

  private static Railflux overTcp(Railflux config) {
    return config.propagateContext(KEY).fabrics(new TcpFabricProvider());
  }

  private void look(String where) {
    String value = TRACE.get();
    seen.computeIfAbsent(where, w -> ConcurrentHashMap.newKeySet())
        .add(value == null ? NOTHING : value);
  }

  private void assertSeen(String where, String value) {
    assertEquals(Set.of(value), seen.get(where), where);
  }

  /** A codec that records the values it sees, with the side on which it runs. */
  private Codec<Integer> looking(String where) {
    return new Codec<>() {
      @Override
      public String name() {
        return Codecs.int32().name();
      }

      @Override
      public int maxEncodedBytes(Integer value) {
        look(where + " sizes");
        return Codecs.int32().maxEncodedBytes(value);
      }

      @Override
      public void encode(Integer value, ByteBuffer target) {
        look(where + " encodes");
        Codecs.int32().encode(value, target);
      }

      @Override
      public Integer decode(ByteBuffer source) {
        look(where + " decodes");
        return Codecs.int32().decode(source);
      }
    };
  }

  private static void both(Mono<?> sending, Mono<?> receiving) {
    Mono.when(receiving.contextWrite(RECEIVER), sending.contextWrite(SENDER)).block(Nodes.PATIENCE);
  }

  private static Flux<Integer> numbers() {
    return Flux.range(0, 100);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void sourcesReceiversAndTheirCodecs(String fabric) {
    Nodes.Pair pair = pair(fabric);
    List<Flux<Integer>> sources = List.of(
        numbers(),
        numbers().hide(),
        numbers().publishOn(Schedulers.parallel(), 4),
        Flux.from(new Plain(numbers())),
        Flux.defer(() -> {
          look("subscribed");
          return numbers();
        }));
    for (int i = 0; i < sources.size(); i++) {
      Flux<Integer> source =
          sources.get(i).doOnRequest(n -> look("requested")).doOnNext(value -> look("source"));
      Mono<Void> sending = pair.toServer()
          .send("s" + i, looking("sender"), source)
          .doOnSuccess(done -> look("delivered"));
      Flux<Integer> received = pair.toClient().receive("s" + i, looking("receiver"));
      // A demand of one element at a time makes values wait behind the source.
      int batch = i + 1;
      both(
          sending, received.doOnNext(value -> look("received")).limitRate(batch).then());
    }

    for (String where : List.of(
        "source", "subscribed", "requested", "sender sizes", "sender encodes", "delivered")) {
      assertSeen(where, "sender");
    }
    assertSeen("receiver decodes", "receiver");
    assertSeen("received", "receiver");
    assertNothingLeft(pair);
  }

  /** A publisher that is no Reactor type. */
  private record Plain(Flux<Integer> flux) implements Publisher<Integer> {

    @Override
    public void subscribe(org.reactivestreams.Subscriber<? super Integer> s) {
      flux.subscribe(s);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void receiptsEnvelopesAndMessages(String fabric) {
    Nodes.Pair pair = pair(fabric);
    Flux<Integer> source = numbers().doOnNext(value -> look("source"));
    Flux<?> receipts = pair.toServer().sendWithReceipts("r", looking("sender"), source);
    both(
        receipts.doOnNext(receipt -> look("receipt")).then(),
        pair.toClient().receive("r", Codecs.int32()).then());
    Flux<Envelope<Integer>> envelopes = source.map(Envelope::of);
    both(
        pair.toServer().sendEnvelopes("e", looking("sender"), envelopes),
        pair.toClient()
            .receiveEnvelopes("e", looking("receiver"))
            .doOnNext(envelope -> look("envelope"))
            .then());
    both(
        pair.toServer().send("m", Codecs.bytes(), source.map(value -> new byte[8])),
        pair.toClient()
            .receiveMessages("m")
            .doOnNext(message -> look("message"))
            .doOnNext(Message::close)
            .then());

    assertSeen("source", "sender");
    assertSeen("sender encodes", "sender");
    assertSeen("receipt", "sender");
    assertSeen("receiver decodes", "receiver");
    assertSeen("envelope", "receiver");
    assertSeen("message", "receiver");
    assertNothingLeft(pair);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void handlersAndTheirReplies(String fabric) {
    Nodes.Pair pair = pair(fabric);
    var route = new Route<>("one", looking("request"), looking("reply"));
    pair.server().respond(route, value -> {
      look("handler");
      return value == 0
          ? Mono.just(value)
          : Mono.just(value).hide().doOnNext(reply -> look("reply"));
    });
    var stream = new Route<>("many", looking("request"), looking("reply"));
    pair.server().respondStream(stream, value -> {
      look("handler");
      return numbers().doOnNext(reply -> look("reply"));
    });
    Mono.when(
            pair.toServer().request(route, 0).doOnNext(reply -> look("replied")),
            pair.toServer().request(route, 1).doOnNext(reply -> look("replied")),
            pair.toServer().requestStream(stream, 2).doOnNext(reply -> look("replied")))
        .contextWrite(SENDER)
        .block(Nodes.PATIENCE);

    for (String where : List.of(
        "request encodes",
        "request decodes",
        "handler",
        "reply",
        "reply encodes",
        "reply decodes",
        "replied")) {
      assertSeen(where, "sender");
    }
    assertNothingLeft(pair);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void cancellationReachesTheSourceWithItsContext(String fabric) throws InterruptedException {
    Nodes.Pair pair = pair(fabric);
    CountDownLatch cancelled = new CountDownLatch(1);
    Flux<Integer> source = Flux.<Integer>never().doOnCancel(() -> {
      look("cancelled");
      cancelled.countDown();
    });
    var sending = pair.toServer()
        .send("s", Codecs.int32(), source)
        .contextWrite(SENDER)
        .subscribe(x -> {}, e -> {});
    pair.toClient().receive("s", Codecs.int32()).take(1).subscribe();
    // A later send is subscribed later.
    both(
        pair.toServer().send("other", Codecs.int32(), numbers()),
        pair.toClient().receive("other", Codecs.int32()).then());
    sending.dispose();

    cancelled.await();
    assertSeen("cancelled", "sender");
    assertNothingLeft(pair);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void streamsWithoutAContextSeeNoValuesOfOthers(String fabric) {
    Nodes.Pair pair = pair(fabric);
    Mono<Void> bare = Mono.when(
        pair.toServer()
            .send(
                "bare", looking("bare"), Flux.range(0, 20_000).doOnNext(v -> look("bare source"))),
        pair.toClient().receive("bare", looking("bare")).doOnNext(v -> look("bare received")));
    Mono<Void> traced = Mono.when(
            pair.toServer()
                .send(
                    "traced",
                    looking("traced"),
                    Flux.range(0, 20_000).doOnNext(v -> look("traced source"))),
            pair.toClient().receive("traced", looking("traced")))
        .contextWrite(SENDER);
    Mono.when(bare, traced).block(Nodes.PATIENCE);

    for (String where : List.of("bare source", "bare encodes", "bare decodes", "bare received")) {
      assertSeen(where, NOTHING);
    }
    for (String where : List.of("traced source", "traced encodes", "traced decodes")) {
      assertSeen(where, "sender");
    }
    assertNothingLeft(pair);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void restoresNothingWithoutTheHook(String fabric) {
    Hooks.disableAutomaticContextPropagation();
    Nodes.Pair pair = pair(fabric);
    both(
        pair.toServer().send("s", looking("sender"), numbers().doOnNext(value -> look("source"))),
        pair.toClient().receive("s", looking("receiver")).then());

    assertSeen("source", NOTHING);
    assertSeen("sender encodes", NOTHING);
    assertSeen("receiver decodes", NOTHING);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shm", "tcp"})
  void errorOfACodecIsTheErrorOfItsStream(String fabric) {
    Nodes.Pair pair = pair(fabric);
    Codec<Integer> failing = new Codec<>() {
      @Override
      public String name() {
        return Codecs.int32().name();
      }

      @Override
      public int maxEncodedBytes(Integer value) {
        return 4;
      }

      @Override
      public void encode(Integer value, ByteBuffer target) {
        throw new IllegalArgumentException("on purpose");
      }

      @Override
      public Integer decode(ByteBuffer source) {
        return 0;
      }
    };
    pair.toClient().receive("s", Codecs.int32()).subscribe(new BaseSubscriber<>() {
      @Override
      protected void hookOnError(Throwable failure) {}
    });
    Throwable failure = pair.toServer()
        .send("s", failing, numbers())
        .contextWrite(SENDER)
        .materialize()
        .block(Nodes.PATIENCE)
        .getThrowable();

    assertNotNull(failure);
    assertEquals("on purpose", failure.getMessage());
    assertEquals(IllegalArgumentException.class, failure.getClass());
  }

  /** Requires that neither engine thread has a value. */
  private static void assertNothingLeft(Nodes.Pair pair) {
    for (Node node : List.of(pair.server(), pair.client())) {
      Mono<String> left =
          Mono.fromCallable(() -> String.valueOf(TRACE.get())).subscribeOn(node.scheduler());
      assertEquals("null", left.block(Nodes.PATIENCE), node + " still has a value");
    }
    assertNull(TRACE.get());
  }
}
