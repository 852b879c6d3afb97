package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Publishers that end immediately, subscribed to on the engine thread. The signal arrives in a separate task (D17), so
 * that an operator that resubscribes without a pause does not starve other peers.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class InlineFailureTest {

  private static final Route<Integer, Integer> NEXT =
      new Route<>("next", Codecs.int32(), Codecs.int32());
  private static final Route<Integer, Integer> SILENT =
      new Route<>("silent", Codecs.int32(), Codecs.int32());
  private static final Route<byte[], byte[]> BYTES =
      new Route<>("bytes", Codecs.bytes(), Codecs.bytes());
  private static final String TOO_LONG = "x".repeat(300);
  private static final int MAX_MESSAGE_BYTES = 64 << 10;

  /** Fails when its size is requested, or later during encoding. */
  private record Failing(boolean sized) implements Codec<Integer> {

    @Override
    public String name() {
      return "failing";
    }

    @Override
    public int maxEncodedBytes(Integer value) {
      if (!sized) {
        throw new IllegalStateException("no size");
      }
      return Integer.BYTES;
    }

    @Override
    public void encode(Integer value, ByteBuffer target) {
      throw new IllegalStateException("no bytes");
    }

    @Override
    public Integer decode(ByteBuffer source) {
      return source.getInt();
    }
  }

  private static Route<Integer, Integer> unencodable(boolean sized) {
    return new Route<>("unencodable", new Failing(sized), Codecs.int32());
  }

  private static Object unprintable() {
    return new Object() {
      @Override
      public String toString() {
        throw new IllegalStateException("no text");
      }
    };
  }

  /** All publishers of a peer or a node that may end immediately. */
  enum Kind {
    RECEIVE_OF_CLOSED_PEER(true, s -> s.peer.receive("s", Codecs.int32())),
    RECEIVE_ENVELOPES_OF_CLOSED_PEER(true, s -> s.peer.receiveEnvelopes("s", Codecs.int32())),
    RECEIVE_MESSAGES_OF_CLOSED_PEER(true, s -> s.peer.receiveMessages("s")),
    REQUEST_TO_CLOSED_PEER(true, s -> s.peer.request(NEXT, 1)),
    REQUEST_STREAM_TO_CLOSED_PEER(true, s -> s.peer.requestStream(NEXT, 1)),
    SEND_TO_CLOSED_PEER(true, s -> s.peer.send("s", Codecs.int32(), Flux.just(1))),
    SEND_WITH_RECEIPTS_TO_CLOSED_PEER(
        true, s -> s.peer.sendWithReceipts("s", Codecs.int32(), Flux.just(1))),
    CLOSE_OF_CLOSED_PEER(true, s -> s.peer.close()),
    ON_CLOSE_OF_CLOSED_PEER(true, s -> s.peer.onClose()),
    RAIL_EVENTS_OF_CLOSED_PEER(true, s -> s.peer.railEvents()),
    ADD_RAIL_OF_CLOSED_PEER(true, s -> s.peer.addRail("tcp:127.0.0.1:1")),
    REMOVE_RAIL_OF_CLOSED_PEER(true, s -> s.peer.removeRail("tcp:127.0.0.1:1")),
    RECEIVE_OF_TAKEN_NAME(s -> s.peer.receive("taken", Codecs.int32())),
    RECEIVE_MESSAGES_OF_TAKEN_NAME(s -> s.peer.receiveMessages("taken")),
    RECEIVE_WITH_OTHER_CODEC(s -> s.peer.receive("announced", Codecs.int32())),
    RECEIVE_OF_ENDED_STREAM(s -> s.peer.receive("ended", Codecs.utf8())),
    RECEIVE_WITH_UNSENDABLE_NAME(s -> s.peer.receive(TOO_LONG, Codecs.int32())),
    SEND_WITH_UNSENDABLE_NAME(s -> s.peer.send(TOO_LONG, Codecs.int32(), Flux.just(1))),
    OVERSIZED_REQUEST(s -> s.peer.request(BYTES, new byte[2 * MAX_MESSAGE_BYTES])),
    OVERSIZED_REQUEST_STREAM(s -> s.peer.requestStream(BYTES, new byte[2 * MAX_MESSAGE_BYTES])),
    REQUEST_WITHOUT_SIZE(s -> s.peer.request(unencodable(false), 1)),
    REQUEST_WITHOUT_BYTES(s -> s.peer.request(unencodable(true), 1)),
    REQUEST_STREAM_WITHOUT_BYTES(s -> s.peer.requestStream(unencodable(true), 1)),
    REQUEST_WITH_UNPRINTABLE_CONTEXT(
        s -> s.peer.request(NEXT, 1).contextWrite(context -> context.put("trace", unprintable()))),
    SEND_WITH_UNPRINTABLE_CONTEXT(s -> s.peer
        .send("s", Codecs.int32(), Flux.just(1))
        .contextWrite(context -> context.put("trace", unprintable()))),
    CONNECT_TO_NO_ADDRESS(s -> s.node.connect("nowhere:at:all")),
    BIND_TO_NO_ADDRESS(s -> s.node.bind("nowhere:at:all")),
    ADD_RAIL_OF_NO_ADDRESS(s -> s.node.addRail("nowhere:at:all")),
    REMOVE_RAIL_OF_NO_ADDRESS(s -> s.node.removeRail("nowhere:at:all"));

    private final boolean closesPeer;

    @SuppressWarnings("ImmutableEnumChecker") // The lambdas capture nothing.
    private final Function<Subject, Publisher<?>> call;

    Kind(Function<Subject, Publisher<?>> call) {
      this(false, call);
    }

    Kind(boolean closesPeer, Function<Subject, Publisher<?>> call) {
      this.closesPeer = closesPeer;
      this.call = call;
    }
  }

  /** The target of a call. */
  private record Subject(Node node, Peer peer) {}

  /** Records each terminal signal, and whether the subscribing call had returned. */
  private static final class Recording implements CoreSubscriber<Object> {

    private final boolean cancels;
    private final AtomicInteger terminals = new AtomicInteger();
    private volatile boolean subscribed;
    private volatile boolean returned;
    private volatile boolean beforeReturn;
    private volatile boolean beforeSubscription;

    Recording(boolean cancels) {
      this.cancels = cancels;
    }

    @Override
    public Context currentContext() {
      return Context.empty();
    }

    @Override
    public void onSubscribe(Subscription s) {
      subscribed = true;
      s.request(Long.MAX_VALUE);
      if (cancels) {
        s.cancel();
      }
    }

    @Override
    public void onNext(Object value) {}

    @Override
    public void onError(Throwable t) {
      onComplete();
    }

    @Override
    public void onComplete() {
      beforeReturn |= !returned;
      beforeSubscription |= !subscribed;
      terminals.incrementAndGet();
    }
  }

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private Node node;
  private Peer other;
  private Subject subject;

  @BeforeEach
  void connect() {
    node = nodes.start(
        "node", config -> config.maxMessageBytes(MAX_MESSAGE_BYTES).propagateContext("trace"));
    Node failing = nodes.start("failing", config -> config.maxExchanges(1));
    failing.respond(SILENT, value -> Mono.never());
    subject = new Subject(node, nodes.connect(failing, node).toServer());
    Node fine = nodes.start("fine");
    fine.respond(NEXT, value -> Mono.just(value + 1));
    other = nodes.connect(fine, node).toServer();
  }

  private Publisher<?> prepared(Kind kind) throws Exception {
    if (kind.closesPeer) {
      subject.peer.close().block(Nodes.PATIENCE);
    } else {
      occupyNames();
    }
    return kind.call.apply(subject);
  }

  /** One name has a subscriber, one is announced, and one ended before a subscription. */
  private void occupyNames() throws Exception {
    subject.peer.receive("taken", Codecs.int32()).subscribe(value -> {}, e -> {});
    Peer back = nodes.started("failing").peers().blockFirst(Nodes.PATIENCE);
    back.send("announced", Codecs.utf8(), Flux.just("x")).subscribe(null, e -> {});
    back.send("ended", Codecs.utf8(), Flux.empty()).block(Nodes.PATIENCE);
  }

  private void onEngine(Runnable action) throws Exception {
    CompletableFuture<Void> ran = new CompletableFuture<>();
    node.scheduler().schedule(() -> {
      action.run();
      ran.complete(null);
    });
    get(ran);
  }

  private static void get(CompletableFuture<Void> future)
      throws InterruptedException, ExecutionException, TimeoutException {
    future.get(Nodes.PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private Recording recorded(Publisher<?> publisher, boolean cancels) throws Exception {
    Recording recording = new Recording(cancels);
    onEngine(() -> {
      publisher.subscribe(recording);
      recording.returned = true;
    });
    return recording;
  }

  @ParameterizedTest
  @EnumSource
  void arrivesOnceAfterTheSubscribeReturned(Kind kind) throws Exception {
    Recording recording = recorded(prepared(kind), false);

    await().until(() -> recording.terminals.get() > 0);
    assertFalse(recording.beforeSubscription, "a signal before the subscription");
    assertFalse(recording.beforeReturn, "a signal inside the subscribe");
    onEngine(() -> {});
    assertEquals(1, recording.terminals.get());
  }

  @ParameterizedTest
  @EnumSource
  void isNotSignalledToASubscriberThatCancelled(Kind kind) throws Exception {
    Recording recording = recorded(prepared(kind), true);

    // The signal takes one task. A connect takes another one, because it resolves names on another
    // thread.
    for (int i = 0; i < 10; i++) {
      onEngine(() -> {});
    }
    assertEquals(0, recording.terminals.get());
  }

  @ParameterizedTest
  @EnumSource
  void endlessSubscriptionsDoNotStarveOtherPeers(Kind kind) throws Exception {
    Flux<?> endless = Flux.from(prepared(kind)).retry().repeat();
    CountDownLatch subscribed = new CountDownLatch(1);
    Disposable.Swap storm = Disposables.swap();
    node.scheduler().schedule(() -> {
      subscribed.countDown();
      storm.replace(endless.subscribe());
    });

    assertTrue(subscribed.await(Nodes.PATIENCE.toSeconds(), TimeUnit.SECONDS));
    assertOthersHaveTheirTurn();
    storm.dispose();
  }

  /**
   * The request fails while the engine sends waiting requests. The engine must not continue this as long as another
   * request follows.
   */
  @Test
  void endlessFailuresOfWaitingRequestsDoNotStarveOtherPeers() throws Exception {
    Disposable only = subject.peer.request(SILENT, 1).subscribe();
    onEngine(() -> {});
    Disposable storm = subject.peer.request(unencodable(true), 1).retry().subscribe();
    onEngine(() -> {});

    only.dispose();

    assertOthersHaveTheirTurn();
    storm.dispose();
  }

  private void assertOthersHaveTheirTurn() {
    List<Integer> replies = Flux.range(0, 100)
        .concatMap(i -> other.request(NEXT, i))
        .collectList()
        .block(Nodes.PATIENCE);
    // A timer of the node gets its turn as well.
    Mono.delay(Duration.ofMillis(1), node.scheduler()).block(Nodes.PATIENCE);
    assertEquals(100, replies.size());
  }
}
