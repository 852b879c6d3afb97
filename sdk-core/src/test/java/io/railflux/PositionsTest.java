package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.railflux.exceptions.StreamRejectedException;
import io.railflux.exceptions.StreamRejectedException.Reason;
import io.railflux.message.Codecs;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Streams that begin where their receivers want them. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PositionsTest {

  private static final int MANY = 20_000;

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private static Publisher<Long> numbers(long position) {
    return Flux.generate(() -> position, (next, sink) -> {
      if (next == MANY) {
        sink.complete();
      } else {
        sink.next(next);
      }
      return next + 1;
    });
  }

  private static List<Long> allFrom(long position) {
    return LongStream.range(position, MANY).boxed().toList();
  }

  @Test
  void aStreamBeginsAtThePositionOfItsReceiver() {
    Nodes.Pair pair = nodes.pair();
    Mono<Void> sent = pair.toClient()
        .sendFrom("numbers", Codecs.int64(), PositionsTest::numbers)
        .cache();
    sent.subscribe();
    assertEquals(
        allFrom(MANY - 5),
        pair.toServer()
            .receiveFrom("numbers", Codecs.int64(), MANY - 5)
            .collectList()
            .block(Nodes.PATIENCE));
    sent.block(Nodes.PATIENCE);
  }

  @Test
  void aReceiverWithoutAPositionBeginsAtZero() {
    Nodes.Pair pair = nodes.pair();
    pair.toClient().sendFrom("numbers", Codecs.int64(), PositionsTest::numbers).subscribe();
    assertEquals(
        allFrom(0),
        pair.toServer().receive("numbers", Codecs.int64()).collectList().block(Nodes.PATIENCE));
  }

  @Test
  void aPositionIsRefusedBothWaysWhereTheSenderOffersNone() {
    Nodes.Pair pair = nodes.pair();
    Mono<Void> sent =
        pair.toClient().send("numbers", Codecs.int64(), Flux.just(1L)).cache();
    sent.onErrorComplete().subscribe();
    for (Mono<?> side :
        List.of(pair.toServer().receiveFrom("numbers", Codecs.int64(), 3).then(), sent)) {
      StreamRejectedException refused =
          assertThrows(StreamRejectedException.class, () -> side.block(Nodes.PATIENCE));
      assertEquals(Reason.NOT_POSITIONED, refused.reason());
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> pair.toServer().receiveFrom("numbers", Codecs.int64(), -1));
  }

  @Test
  void theErrorOfASourceReachesBothSides() {
    Nodes.Pair pair = nodes.pair();
    Mono<Void> sent = pair.toClient()
        .<Long>sendFrom("numbers", Codecs.int64(), position -> {
          throw new IllegalStateException("nothing at " + position);
        })
        .cache();
    sent.onErrorComplete().subscribe();
    Throwable received = assertThrows(
        RuntimeException.class,
        () -> pair.toServer().receiveFrom("numbers", Codecs.int64(), 3).blockLast(Nodes.PATIENCE));
    assertEquals(true, received.getMessage().contains("nothing at 3"), received.getMessage());
    assertThrows(IllegalStateException.class, () -> sent.block(Nodes.PATIENCE));
  }

  @Test
  void everyMessageArrivesOnceOverRestartsOfTheSender() {
    String address = nodes.newAddress();
    Remote remote = nodes.start("client").remote(address);
    List<Long> got = new CopyOnWriteArrayList<>();
    Mono<Void> received = remote
        .receiveFrom("numbers", Codecs.int64(), 0)
        .doOnNext(got::add)
        .then()
        .cache();
    received.subscribe();
    for (int generation = 1; generation <= 4; generation++) {
      Node server = nodes.start("server" + generation);
      server.publishFrom("numbers", Codecs.int64(), (peer, position) -> numbers(position));
      server.bind(address).block(Nodes.PATIENCE);
      int enough = Math.min(MANY, got.size() + 1_000);
      await().until(() -> got.size() >= enough);
      if (generation < 4) {
        server.abort();
        server.onClose().block(Nodes.PATIENCE);
      }
    }
    received.block(Nodes.PATIENCE);
    assertEquals(allFrom(0), got);
  }

  @Test
  void everyMessageArrivesOnceOverRestartsOfTheReceiver() {
    String address = nodes.newAddress();
    Remote remote = nodes.start("client").remote(address);
    Mono<Void> sent =
        remote.sendFrom("numbers", Codecs.int64(), PositionsTest::numbers).cache();
    Disposable sending = sent.subscribe();
    List<Long> got = new CopyOnWriteArrayList<>();
    for (int generation = 1; generation <= 4; generation++) {
      Node server = nodes.start("server" + generation);
      server
          .peers()
          .subscribe(peer -> peer.receiveFrom("numbers", Codecs.int64(), got.size())
              .subscribe(got::add, error -> {}));
      server.bind(address).block(Nodes.PATIENCE);
      int enough = Math.min(MANY, got.size() + 1_000);
      await().until(() -> got.size() >= enough);
      if (generation < 4) {
        server.abort();
        server.onClose().block(Nodes.PATIENCE);
      }
    }
    sent.block(Nodes.PATIENCE);
    assertEquals(allFrom(0), got);
    sending.dispose();
  }
}
