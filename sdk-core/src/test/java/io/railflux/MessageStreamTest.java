package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.message.Codecs;
import io.railflux.message.Envelope;
import io.railflux.message.Message;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

// More than 400 lines: a specification with one test method for each statement.
/** Messages that the subscriber owns, within a budget of the node. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MessageStreamTest {

  private static final int KIB = 1 << 10;

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private Nodes.Pair pairWithRoomForFour() {
    return nodes.pair(config -> config.maxMessageBytes(4 * KIB).messageBudgetBytes(16 * KIB));
  }

  private static Flux<byte[]> numbered(int count) {
    return Flux.range(0, count).map(i -> new byte[] {i.byteValue(), (byte) (i >> 8)});
  }

  private static int number(Message message) {
    return message.payload().getShort(0);
  }

  @Test
  void messagesKeepHeadersAndPayloadAfterOnNext() {
    Nodes.Pair pair = nodes.pair();
    var source = Flux.just(Envelope.of(new byte[] {1, 2, 3}).withHeader("h", "v"));
    List<Message> got = Mono.zip(
            pair.toClient().receiveMessages("m").collectList(),
            pair.toServer().sendEnvelopes("m", Codecs.bytes(), source).thenReturn(true))
        .block(Nodes.PATIENCE)
        .getT1();

    Message message = got.get(0);
    assertEquals(3, message.lengthBytes());
    assertEquals("v", message.headers().text("h").orElseThrow());
    assertEquals(2, message.payload().get(1));
    message.close();
  }

  @Test
  void unboundedSubscriberThatKeepsItsMessagesPausesTheProducer() {
    Nodes.Pair pair = pairWithRoomForFour();
    LinkedBlockingQueue<Message> kept = new LinkedBlockingQueue<>();
    AtomicLong emitted = new AtomicLong();
    var done = pair.toServer()
        .send("m", Codecs.bytes(), numbered(1000).doOnNext(b -> emitted.incrementAndGet()))
        .toFuture();
    pair.toClient().receiveMessages("m").subscribe(kept::add);
    await().until(() -> kept.size() >= 4);
    pair.toServer().send("settle", Codecs.int32(), Flux.empty()).block(Nodes.PATIENCE);
    assertTrue(emitted.get() < 1000, "the producer exceeded the budget");

    for (int i = 0; i < 1000; i++) {
      Message message = take(kept);
      assertEquals(i, number(message));
      message.close();
    }
    await().until(done::isDone);
  }

  private static Message take(LinkedBlockingQueue<Message> queue) {
    try {
      Message message = queue.poll(10, TimeUnit.SECONDS);
      if (message == null) {
        throw new AssertionError("no further message: the producer was not resumed");
      }
      return message;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** A request of another thread may cross the end of the stream. */
  @Test
  void requestAfterTheEndUsesNoBudget() {
    Nodes.Pair pair = nodes.pair();
    pair.client().close().block(Nodes.PATIENCE);
    pair.toClient().onClose().onErrorComplete().block(Nodes.PATIENCE);
    Mono<Void> late =
        Mono.create(sink -> pair.toClient().receiveMessages("m").subscribe(new CoreSubscriber<>() {
          private Subscription subscription;

          @Override
          public void onSubscribe(Subscription s) {
            subscription = s;
          }

          @Override
          public void onNext(Message message) {}

          @Override
          public void onError(Throwable t) {
            subscription.request(1);
            sink.success();
          }

          @Override
          public void onComplete() {}
        }));
    late.block(Nodes.PATIENCE);

    assertEquals(0, pair.server().messages().budget().claims());
  }

  @Test
  void messagesAfterACancellationOfAnotherThreadAreClosed() {
    Nodes.Pair pair = nodes.pair();
    AtomicLong came = new AtomicLong();
    pair.toServer().send("m", Codecs.bytes(), numbered(10_000)).subscribe(x -> {}, e -> {});
    pair.toClient().receiveMessages("m").subscribe(new BaseSubscriber<>() {
      @Override
      protected void hookOnNext(Message message) {
        message.close();
        if (came.incrementAndGet() == 1000) {
          // The engine does not process the cancellation while this thread runs.
          Mono.fromRunnable(upstream()::cancel)
              .subscribeOn(Schedulers.boundedElastic())
              .toFuture()
              .orTimeout(10, TimeUnit.SECONDS)
              .join();
        }
      }
    });
    await().until(() -> came.get() >= 1000);
    pair.toServer().close().block(Nodes.PATIENCE);

    assertEquals(1000, came.get());
    assertEquals(0, pair.server().messages().outstandingBytes());
  }

  @Test
  void closeOnOtherThreadsResumesTheProducer() {
    Nodes.Pair pair = pairWithRoomForFour();
    Mono<Long> counted = pair.toClient()
        .receiveMessages("m")
        .publishOn(Schedulers.boundedElastic(), 1)
        .doOnNext(Message::close)
        .count();
    var both = Mono.zip(
        counted, pair.toServer().send("m", Codecs.bytes(), numbered(30_000)).thenReturn(true));

    assertEquals(30_000L, both.block(Nodes.PATIENCE).getT1());
  }

  /** The operator {@code publishOn} does not close waiting messages on a cancellation (reactor-core#4396). */
  @ParameterizedTest
  @CsvSource({"64", "400000"})
  void cancelledSubscriptionReleasesItsMessagesImmediately(int bytes) {
    Nodes.Pair pair = nodes.pair();
    // This thread may block, unlike the threads of newSingle.
    Scheduler busy = Schedulers.newBoundedElastic(1, Integer.MAX_VALUE, "busy");
    CountDownLatch free = new CountDownLatch(1);
    busy.schedule(() -> awaitUninterrupted(free));
    List<Message> came = new CopyOnWriteArrayList<>();
    pair.toServer()
        .send("m", Codecs.bytes(), Flux.range(0, 1000).map(i -> filled(i, bytes)))
        .subscribe(x -> {}, e -> {});
    Disposable receiving = pair.toClient()
        .receiveMessages("m")
        .doOnNext(came::add)
        .publishOn(busy)
        .subscribe(Message::close);
    await().until(() -> came.size() >= 64);
    receiving.dispose();

    // Without a collection or a close, the budgets are complete again when the engine processes the
    // cancellation.
    await().untilAsserted(() -> {
      assertEquals(0, pair.server().messages().outstandingBytes());
      assertEquals(0, pair.server().engine().largeMessageBytes());
    });
    free.countDown();
    busy.dispose();
    assertEquals(100, transfer(pair, "other", 100));
    for (int i = 0; i < came.size(); i++) {
      assertEquals(ByteBuffer.wrap(filled(i, bytes)), came.get(i).payload());
    }
  }

  private static byte[] filled(int value, int bytes) {
    byte[] filled = new byte[bytes];
    Arrays.fill(filled, (byte) value);
    return filled;
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void messagesRemainReadableAfterTheEndOfTheirStream() {
    Nodes.Pair pair = nodes.pair();
    Mono<List<Message>> all = pair.toClient().receiveMessages("m").collectList();
    List<Message> kept = Mono.zip(
            all, pair.toServer().send("m", Codecs.bytes(), numbered(10)).thenReturn(true))
        .block(Nodes.PATIENCE)
        .getT1();
    transfer(pair, "other", 1000);

    for (int i = 0; i < 10; i++) {
      assertEquals(i, number(kept.get(i)));
      kept.get(i).close();
    }
    assertEquals(0, pair.server().messages().outstandingBytes());
  }

  @Test
  void messagesBehindTakeAreReadableAndOutsideTheBudget() {
    Nodes.Pair pair = nodes.pair();
    pair.toServer().send("m", Codecs.bytes(), numbered(1000)).subscribe(x -> {}, e -> {});
    List<Message> taken =
        pair.toClient().receiveMessages("m").take(10).collectList().block(Nodes.PATIENCE);
    assertEquals(0, pair.server().messages().outstandingBytes());
    transfer(pair, "other", 1000);

    for (int i = 0; i < 10; i++) {
      assertEquals(i, number(taken.get(i)));
      taken.get(i).close();
    }
    assertEquals(0, pair.server().messages().outstandingBytes());
  }

  private static long transfer(Nodes.Pair pair, String name, int count) {
    return Mono.zip(
            pair.toClient().receiveMessages(name).doOnNext(Message::close).count(),
            pair.toServer().send(name, Codecs.bytes(), numbered(count)).thenReturn(true))
        .block(Nodes.PATIENCE)
        .getT1();
  }

  @Test
  void manyIdleStreamsDoNotTakeTheBudgetFromABusyOne() {
    Nodes.Pair pair = nodes.pair();
    for (int i = 0; i < 64; i++) {
      pair.toClient().receiveMessages("idle" + i).subscribe(Message::close, e -> {});
    }

    assertEquals(50_000, transfer(pair, "busy", 50_000));
  }

  @Test
  void formerlyBusyStreamsDoNotTakeTheBudgetFromOthers() {
    Nodes.Pair pair = nodes.pair();
    List<Sinks.Many<byte[]>> sources = new ArrayList<>();
    AtomicLong got = new AtomicLong();
    for (int i = 0; i < 64; i++) {
      Sinks.Many<byte[]> source = Sinks.many().unicast().onBackpressureBuffer();
      sources.add(source);
      pair.toServer().send("s" + i, Codecs.bytes(), source.asFlux()).subscribe(x -> {}, e -> {});
      pair.toClient()
          .receiveMessages("s" + i)
          .doOnNext(m -> got.incrementAndGet())
          .subscribe(Message::close, e -> {});
    }
    sources.forEach(source -> numbered(100).subscribe(b -> source.tryEmitNext(b).orThrow()));
    await().until(() -> got.get() == 6400);

    assertEquals(50_000, transfer(pair, "busy", 50_000));

    sources.forEach(source -> numbered(100).subscribe(b -> source.tryEmitNext(b).orThrow()));
    await().until(() -> got.get() == 12_800);
  }

  @Test
  void streamsContinueAlthoughOneKeepsTheWholeBudget() {
    Nodes.Pair pair = pairWithRoomForFour();
    LinkedBlockingQueue<Message> kept = new LinkedBlockingQueue<>();
    pair.toServer()
        .send("keeper", Codecs.bytes(), Flux.range(0, 100).map(i -> new byte[4 * KIB]))
        .subscribe(x -> {}, e -> {});
    pair.toClient().receiveMessages("keeper").subscribe(kept::add, e -> {});
    await().until(() -> kept.size() == 4);

    for (int i = 0; i < 3; i++) {
      assertEquals(1000, transfer(pair, "other" + i, 1000));
    }
    assertEquals(4, kept.size());
    pair.toServer().abort();
    kept.forEach(Message::close);
  }

  /** Its memory does not belong to the budget, so no budget becomes free. */
  @Test
  void streamWithoutOpenMessagesContinuesAlthoughAnotherKeepsTheWholeBudget() {
    Nodes.Pair pair = nodes.pair(config -> config.ringBytes(64 * KIB).messageBudgetBytes(8 * KIB));
    LinkedBlockingQueue<Message> kept = new LinkedBlockingQueue<>();
    pair.toServer().send("keeper", Codecs.bytes(), numbered(2)).subscribe(x -> {}, e -> {});
    pair.toClient().receiveMessages("keeper").subscribe(kept::add, e -> {});
    await().until(() -> kept.size() == 1);

    LinkedBlockingQueue<Message> large = new LinkedBlockingQueue<>();
    pair.toServer()
        .send("large", Codecs.bytes(), Flux.range(0, 3).map(i -> new byte[1 << 20]))
        .subscribe(x -> {}, e -> {});
    pair.toClient().receiveMessages("large").subscribe(large::add, e -> {});
    for (int i = 0; i < 3; i++) {
      take(large).close();
    }
    pair.toServer().abort();
    kept.forEach(Message::close);
  }

  /** The memory of a message is a power of two and at least 64 bytes. */
  @ParameterizedTest
  @CsvSource({"1, 64", "10, 128", "3000, 3000", "4000, 5000"})
  void smallestBudgetSuffices(int maxMessageBytes, int budgetBytes) {
    Nodes.Pair pair = nodes.pair(
        config -> config.maxMessageBytes(maxMessageBytes).messageBudgetBytes(budgetBytes));
    var both = Mono.zip(
        pair.toClient().receiveMessages("m").doOnNext(Message::close).count(),
        pair.toServer()
            .send("m", Codecs.bytes(), Flux.range(0, 500).map(i -> new byte[maxMessageBytes]))
            .thenReturn(true));

    assertEquals(500L, both.block(Nodes.PATIENCE).getT1());
  }

  @Test
  void droppedMessagesOfAnOperatorAreClosed() {
    Nodes.Pair pair = pairWithRoomForFour();
    var both = Mono.zip(
        pair.toClient()
            .receiveMessages("m")
            .filter(message -> number(message) % 100 == 0)
            .doOnNext(Message::close)
            .doOnDiscard(Message.class, Message::close)
            .count(),
        pair.toServer().send("m", Codecs.bytes(), numbered(5000)).thenReturn(true));

    assertEquals(50L, both.block(Nodes.PATIENCE).getT1());
  }

  @Test
  void cancellationReturnsTheRestOfTheBudget() {
    Nodes.Pair pair = pairWithRoomForFour();
    for (int round = 0; round < 20; round++) {
      String name = "m" + round;
      pair.toServer().send(name, Codecs.bytes(), numbered(100)).subscribe(x -> {}, e -> {});
      List<Integer> got = new CopyOnWriteArrayList<>();
      pair.toClient()
          .receiveMessages(name)
          .doOnNext(message -> {
            got.add(number(message));
            message.close();
          })
          .take(3)
          .blockLast(Nodes.PATIENCE);
      assertEquals(List.of(0, 1, 2), got);
    }
  }

  @Test
  void messageMayOutliveItsNode() {
    Nodes.Pair pair = nodes.pair();
    pair.toServer().send("m", Codecs.bytes(), numbered(1)).subscribe(x -> {}, e -> {});
    Message message = pair.toClient().receiveMessages("m").blockFirst(Nodes.PATIENCE);
    pair.server().abort();

    assertEquals(0, number(message));
    message.close();
  }
}
