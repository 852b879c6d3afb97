package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.MessageTooLargeException;
import io.railflux.exceptions.RemoteStreamException;
import io.railflux.exceptions.StreamCancelledException;
import io.railflux.exceptions.StreamRejectedException;
import io.railflux.exceptions.StreamRejectedException.Reason;
import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

// More than 400 lines: a specification with one test method for each statement.
/** The ends of streams on both sides: completion, failure, cancellation and rejection. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class StreamEndsTest {

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private static Flux<Long> endless() {
    return Flux.generate(() -> 0L, (n, sink) -> {
      sink.next(n);
      return n + 1;
    });
  }

  private static Throwable failure(CompletableFuture<?> future) {
    CompletionException e = assertThrows(
        CompletionException.class, () -> future.orTimeout(20, TimeUnit.SECONDS).join());
    return e.getCause();
  }

  private static Throwable failure(Publisher<?> publisher) {
    return failure(Flux.from(publisher).then().toFuture());
  }

  /** Requires that the connection still works. */
  private static void assertAlive(Nodes.Pair pair) {
    var both = Mono.zip(
        pair.toClient().receive("alive", Codecs.int32()).collectList(),
        pair.toServer().send("alive", Codecs.int32(), Flux.just(1, 2)).thenReturn(true));
    assertEquals(List.of(1, 2), both.block(Nodes.PATIENCE).getT1());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 100, 1000})
  void remoteCancelReportsTheNumberOfReceivedMessages(int taken) {
    Nodes.Pair pair = nodes.pair();
    var sent = pair.toServer().send("n", Codecs.int64(), endless()).toFuture();

    List<Long> got = pair.toClient()
        .receive("n", Codecs.int64())
        .take(taken)
        .collectList()
        .block(Nodes.PATIENCE);

    assertEquals(taken, got.size());
    if (taken == 0) {
      // take(0) never subscribes, so there is no cancellation.
      sent.cancel(true);
    } else {
      var e = assertInstanceOf(StreamCancelledException.class, failure(sent));
      assertEquals(taken, e.acknowledgedCount());
    }
    assertAlive(pair);
  }

  @Test
  void remoteCancelCountsAtLeastTheDeliveredMessages() {
    Nodes.Pair pair = nodes.pair();
    AtomicBoolean upstreamCancelled = new AtomicBoolean();
    var sent = pair.toServer()
        .send("n", Codecs.int64(), endless().doOnCancel(() -> upstreamCancelled.set(true)))
        .toFuture();

    pair.toClient()
        .receive("n", Codecs.int64())
        .filter(n -> n == 5000)
        .next()
        .block(Nodes.PATIENCE);

    var e = assertInstanceOf(StreamCancelledException.class, failure(sent));
    assertTrue(e.acknowledgedCount() >= 5001, () -> "counted " + e.acknowledgedCount());
    assertTrue(upstreamCancelled.get());
    assertAlive(pair);
  }

  @Test
  void errorOfTheProducerReachesBothSidesAfterTheMessages() {
    Nodes.Pair pair = nodes.pair();
    Flux<Long> source =
        Flux.concat(Flux.just(1L, 2L, 3L), Flux.error(new IllegalStateException("no more prices")));
    var sent = pair.toServer().send("n", Codecs.int64(), source).toFuture();

    StepVerifier.create(pair.toClient().receive("n", Codecs.int64()))
        .expectNext(1L, 2L, 3L)
        .expectErrorSatisfies(e -> {
          var remote = assertInstanceOf(RemoteStreamException.class, e);
          assertEquals("java.lang.IllegalStateException", remote.remoteClass());
          assertEquals("no more prices", remote.remoteMessage());
        })
        .verify(Nodes.PATIENCE);
    assertEquals("no more prices", failure(sent).getMessage());
    assertAlive(pair);
  }

  @Test
  void errorWithoutAMessageArrivesWithoutOne() {
    Nodes.Pair pair = nodes.pair();
    pair.toServer()
        .send("n", Codecs.int64(), Flux.error(new IllegalStateException()))
        .subscribe(done -> {}, failed -> {});

    StepVerifier.create(pair.toClient().receive("n", Codecs.int64()))
        .expectErrorSatisfies(
            e -> assertNull(assertInstanceOf(RemoteStreamException.class, e).remoteMessage()))
        .verify(Nodes.PATIENCE);
  }

  @Test
  void cancellationOfASendFailsTheRemoteSubscriberAndCancelsTheSource() {
    Nodes.Pair pair = nodes.pair();
    AtomicBoolean cancelled = new AtomicBoolean();
    List<Long> got = new CopyOnWriteArrayList<>();
    var received =
        pair.toClient().receive("n", Codecs.int64()).doOnNext(got::add).then().toFuture();
    var sending = pair.toServer()
        .send(
            "n",
            Codecs.int64(),
            Flux.concat(Flux.just(1L, 2L), Flux.never()).doOnCancel(() -> cancelled.set(true)))
        .subscribe();
    await().until(() -> got.size() == 2);
    sending.dispose();

    var e = assertInstanceOf(RemoteStreamException.class, failure(received));
    assertEquals(CancellationException.class.getName(), e.remoteClass());
    await().untilTrue(cancelled);
    assertAlive(pair);
  }

  /** Returns after all earlier frames have reached the peer. */
  private static void flush(Nodes.Pair pair) {
    pair.toServer().send("flush", Codecs.int64(), Flux.empty()).block(Nodes.PATIENCE);
  }

  @Test
  void cancellationOfAnUnreceivedSendFreesItsName() {
    Nodes.Pair pair = nodes.pair();
    pair.toServer().send("n", Codecs.int64(), endless()).subscribe().dispose();
    flush(pair);
    var second = pair.toServer().send("n", Codecs.int64(), Flux.just(7L)).toFuture();
    flush(pair);

    assertEquals(7L, pair.toClient().receive("n", Codecs.int64()).blockLast(Nodes.PATIENCE));
    await().until(second::isDone);
  }

  @Test
  void subscriberAfterTheEndReceivesTheEnd() {
    Nodes.Pair pair = nodes.pair();
    pair.toServer().send("empty", Codecs.int64(), Flux.empty()).block(Nodes.PATIENCE);
    pair.toServer().send("cancelled", Codecs.int64(), endless()).subscribe().dispose();
    flush(pair);

    assertNull(pair.toClient().receive("empty", Codecs.int64()).blockLast(Nodes.PATIENCE));
    assertInstanceOf(
        RemoteStreamException.class,
        failure(pair.toClient().receive("cancelled", Codecs.int64()).then()));
  }

  @Test
  void rejectsASecondProducerOfAName() {
    Nodes.Pair pair = nodes.pair();
    var first = pair.toServer()
        .send("n", Codecs.int64(), Flux.concat(Flux.just(1L), Flux.never()))
        .subscribe(x -> {}, x -> {});
    var e = assertInstanceOf(
        StreamRejectedException.class,
        failure(pair.toServer().send("n", Codecs.int64(), Flux.just(2L))));
    assertEquals(Reason.DUPLICATE_NAME, e.reason());

    assertEquals(1L, pair.toClient().receive("n", Codecs.int64()).blockFirst(Nodes.PATIENCE));
    first.dispose();
    assertAlive(pair);
  }

  @Test
  void rejectsASecondProducerDuringTheFirstStream() {
    Nodes.Pair pair = nodes.pair();
    List<Long> got = new CopyOnWriteArrayList<>();
    pair.toClient().receive("n", Codecs.int64()).subscribe(got::add, e -> {});
    pair.toServer()
        .send("n", Codecs.int64(), Flux.concat(Flux.just(1L), Flux.never()))
        .subscribe(x -> {}, x -> {});
    await().until(() -> got.equals(List.of(1L)));

    var e = assertInstanceOf(
        StreamRejectedException.class,
        failure(pair.toServer().send("n", Codecs.int64(), Flux.just(2L))));
    assertEquals(Reason.DUPLICATE_NAME, e.reason());
    assertEquals(List.of(1L), got);
  }

  @Test
  void rejectsASecondSubscriberOfAName() {
    Nodes.Pair pair = nodes.pair();
    List<Long> got = new CopyOnWriteArrayList<>();
    pair.toClient().receive("n", Codecs.int64()).subscribe(got::add, e -> {});
    var e = assertInstanceOf(
        StreamRejectedException.class, failure(pair.toClient().receive("n", Codecs.int64())));

    assertEquals(Reason.DUPLICATE_NAME, e.reason());
    pair.toServer().send("n", Codecs.int64(), Flux.just(1L)).block(Nodes.PATIENCE);
    assertEquals(List.of(1L), got);
  }

  @Test
  void bothSidesRejectDifferentCodecs() {
    Nodes.Pair pair = nodes.pair();
    var sent = pair.toServer().send("n", Codecs.int64(), Flux.just(1L)).toFuture();
    var received = pair.toClient().receive("n", Codecs.utf8()).then().toFuture();

    var there = assertInstanceOf(StreamRejectedException.class, failure(sent));
    var here = assertInstanceOf(StreamRejectedException.class, failure(received));
    assertEquals(Reason.CODEC_MISMATCH, there.reason());
    assertEquals(Reason.CODEC_MISMATCH, here.reason());
    assertTrue(here.getMessage().contains("int64") && here.getMessage().contains("utf8"));
    assertAlive(pair);
  }

  @Test
  void rejectsDifferentCodecsIfTheSubscriberIsFirst() {
    Nodes.Pair pair = nodes.pair();
    var received = pair.toClient().receive("n", Codecs.utf8()).then().toFuture();
    pair.toClient().send("order", Codecs.int64(), Flux.empty()).block(Nodes.PATIENCE);
    var sent = pair.toServer().send("n", Codecs.int64(), Flux.just(1L)).toFuture();

    assertInstanceOf(StreamRejectedException.class, failure(sent));
    assertInstanceOf(StreamRejectedException.class, failure(received));
    assertAlive(pair);
  }

  @Test
  void oversizedMessageFailsItsStreamOnly() {
    Nodes.Pair pair = nodes.pair(config -> config.maxMessageBytes(1 << 20));
    int most = pair.toServer().maxMessageBytes();
    var received = pair.toClient()
        .receive("n", Codecs.bytes())
        .map(b -> b.length)
        .collectList()
        .toFuture();
    var sent = pair.toServer()
        .send("n", Codecs.bytes(), Flux.just(new byte[3], new byte[most + 1]))
        .toFuture();

    var e = assertInstanceOf(MessageTooLargeException.class, failure(sent));
    assertTrue(e.getMessage().contains(String.valueOf(most)), e.getMessage());
    assertInstanceOf(RemoteStreamException.class, failure(received));
    assertAlive(pair);
  }

  /** Writes most of a message and then throws. */
  private static final class Treacherous implements Codec<Integer> {

    @Override
    public String name() {
      return "treacherous";
    }

    @Override
    public int maxEncodedBytes(Integer value) {
      return 10_000;
    }

    @Override
    public void encode(Integer value, ByteBuffer target) {
      for (int i = 0; i < 2000; i++) {
        target.putInt(0x01010101);
      }
      if (value < 0) {
        throw new IllegalArgumentException("negative");
      }
      target.position(target.position() - 8000).putInt(value);
    }

    @Override
    public Integer decode(ByteBuffer source) {
      return source.getInt();
    }
  }

  @Test
  void partialWriteOfAFailedCodecLeavesNothingInTheRing() {
    Nodes.Pair pair = nodes.pair();
    for (int round = 0; round < 20; round++) {
      var received = pair.toClient().receive("t", new Treacherous()).then().toFuture();
      var sent = pair.toServer().send("t", new Treacherous(), Flux.just(-1)).toFuture();
      assertEquals("negative", failure(sent).getMessage());
      assertInstanceOf(RemoteStreamException.class, failure(received));
      assertAlive(pair);
    }
  }

  @Test
  void writeBeyondTheEndOfAMessageLeavesNothing() {
    Nodes.Pair pair = nodes.pair();
    var both = Mono.zip(
        pair.toClient().receive("t", new Treacherous()).collectList(),
        pair.toServer().send("t", new Treacherous(), Flux.range(0, 1000)).thenReturn(true));
    assertEquals(
        Flux.range(0, 1000).collectList().block(), both.block(Nodes.PATIENCE).getT1());
    assertAlive(pair);
  }

  @Test
  void errorOfTheDecoderFailsTheReceiverAndCancelsTheSender() {
    Nodes.Pair pair = nodes.pair();
    Codec<Integer> picky = new Codec<>() {
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
        target.putInt(value);
      }

      @Override
      public Integer decode(ByteBuffer source) {
        int value = source.getInt();
        if (value == 3) {
          throw new IllegalArgumentException("three");
        }
        return value;
      }
    };
    var sent =
        pair.toServer().send("n", Codecs.int32(), Flux.range(1, 1_000_000)).toFuture();

    StepVerifier.create(pair.toClient().receive("n", picky))
        .expectNext(1, 2)
        .expectErrorMessage("three")
        .verify(Nodes.PATIENCE);
    assertInstanceOf(StreamCancelledException.class, failure(sent));
    assertAlive(pair);
  }

  @ParameterizedTest
  @ValueSource(ints = {256, 70_000})
  void rejectsInvalidNamesImmediately(int length) {
    Nodes.Pair pair = nodes.pair();
    String name = "x".repeat(length);

    assertInstanceOf(
        IllegalArgumentException.class,
        failure(pair.toServer().send(name, Codecs.int32(), Flux.just(1))));
    assertInstanceOf(
        IllegalArgumentException.class, failure(pair.toServer().receive(name, Codecs.int32())));
    assertAlive(pair);
  }

  @Test
  void emptyStreamCompletesForAWaitingSubscriber() {
    Nodes.Pair pair = nodes.pair();
    var received = pair.toClient().receive("n", Codecs.int32()).collectList().toFuture();
    pair.toClient().send("order", Codecs.int64(), Flux.empty()).block(Nodes.PATIENCE);

    pair.toServer().send("n", Codecs.int32(), Flux.empty()).block(Nodes.PATIENCE);

    assertEquals(List.of(), received.orTimeout(10, TimeUnit.SECONDS).join());
  }

  @Test
  void cancellationOfAReceiveBeforeASendFreesTheName() {
    Nodes.Pair pair = nodes.pair();
    pair.toClient().receive("n", Codecs.int32()).subscribe().dispose();

    var both = Mono.zip(
        pair.toClient().receive("n", Codecs.int32()).collectList(),
        pair.toServer().send("n", Codecs.int32(), Flux.just(1, 2)).thenReturn(true));
    assertEquals(List.of(1, 2), both.block(Duration.ofSeconds(10)).getT1());
  }
}
