package io.railflux;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.railflux.message.Codecs;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A subscriber on any thread has its subscription when {@code subscribe} returns. */
class SubscribingTest {

  private static final Route<Integer, Integer> NEXT =
      new Route<>("next", Codecs.int32(), Codecs.int32());

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private Nodes.Pair pair;

  @BeforeEach
  void connectNodes() {
    pair = nodes.pair();
    pair.server().respond(NEXT, number -> Mono.just(number + 1));
  }

  static Stream<Named<Function<Nodes.Pair, Publisher<?>>>> publishers() {
    return Stream.of(
        Named.of("request", pair -> pair.toServer().request(NEXT, 1)),
        Named.of("requestStream", pair -> pair.toServer().requestStream(NEXT, 1)),
        Named.of("receive", pair -> pair.toServer().receive("s", Codecs.int32())),
        Named.of("receiveEnvelopes", pair -> pair.toServer().receiveEnvelopes("s", Codecs.int32())),
        Named.of("receiveMessages", pair -> pair.toServer().receiveMessages("s")),
        Named.of("send", pair -> pair.toServer().send("s", Codecs.int32(), Flux.never())),
        Named.of(
            "sendWithReceipts",
            pair -> pair.toServer().sendWithReceipts("s", Codecs.int32(), Flux.never())),
        Named.of("railEvents", pair -> pair.toServer().railEvents()),
        Named.of("peers", pair -> pair.server().peers()),
        Named.of("connect", pair -> pair.client().connect("shm:bound-by-none")),
        Named.of("bind", pair -> pair.client().bind("nowhere:at:all")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("publishers")
  void handsTheSubscriptionOverBeforeSubscribeReturns(Function<Nodes.Pair, Publisher<?>> call) {
    AtomicReference<Subscription> handedOver = new AtomicReference<>();
    call.apply(pair).subscribe(new BaseSubscriber<Object>() {
      @Override
      protected void hookOnSubscribe(Subscription subscription) {
        handedOver.set(subscription);
      }
    });
    assertNotNull(handedOver.get(), "no subscription yet");
    handedOver.get().cancel();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("publishers")
  void isDisposedImmediately(Function<Nodes.Pair, Publisher<?>> call) {
    for (int i = 0; i < 20; i++) {
      Mono<?> first = Flux.from(call.apply(pair)).next();
      assertDoesNotThrow(() -> first.subscribe(value -> {}, error -> {}).dispose());
      Mono<?> only = Mono.fromDirect(call.apply(pair));
      assertDoesNotThrow(() -> only.subscribe(value -> {}, error -> {}).dispose());
    }
    assertEquals(2, pair.toServer().request(NEXT, 1).block(Nodes.PATIENCE));
  }

  @Test
  void nameOfAnImmediatelyCancelledStreamIsFree() {
    pair.toServer().receive("s", Codecs.int32()).subscribe().dispose();
    pair.toClient().send("s", Codecs.int32(), Flux.just(7)).subscribe();
    assertEquals(7, pair.toServer().receive("s", Codecs.int32()).blockFirst(Nodes.PATIENCE));
  }
}
