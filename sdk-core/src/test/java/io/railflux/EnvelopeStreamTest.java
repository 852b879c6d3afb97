package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.StreamCancelledException;
import io.railflux.message.Codecs;
import io.railflux.message.Envelope;
import io.railflux.message.Receipt;
import io.railflux.message.Receipt.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

/** Messages with headers, context and a time to live, and receipts. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class EnvelopeStreamTest {

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  @Test
  void headersArriveWithTheirMessage() {
    Nodes.Pair pair = nodes.pair();
    Flux<Envelope<Integer>> source = Flux.range(0, 1000)
        .map(i -> i % 3 == 0 ? Envelope.of(i) : Envelope.of(i).withHeader("n", "v" + i));
    var both = Mono.zip(
        pair.toClient().receiveEnvelopes("e", Codecs.int32()).collectList(),
        pair.toServer().sendEnvelopes("e", Codecs.int32(), source).thenReturn(true));

    List<Envelope<Integer>> got = both.block(Nodes.PATIENCE).getT1();

    assertEquals(1000, got.size());
    for (Envelope<Integer> envelope : got) {
      int i = envelope.payload();
      assertEquals(i % 3 == 0 ? "" : "v" + i, envelope.headers().text("n").orElse(""));
    }
  }

  @Test
  void envelopesAndPlainMessagesInteroperate() {
    Nodes.Pair pair = nodes.pair();
    var envelopes = Flux.just(Envelope.of(1).withHeader("k", "v"), Envelope.of(2));
    var plain = Mono.zip(
        pair.toClient().receive("e", Codecs.int32()).collectList(),
        pair.toServer().sendEnvelopes("e", Codecs.int32(), envelopes).thenReturn(true));
    assertEquals(List.of(1, 2), plain.block(Nodes.PATIENCE).getT1());

    var wrapped = Mono.zip(
        pair.toClient().receiveEnvelopes("p", Codecs.int32()).collectList(),
        pair.toServer().send("p", Codecs.int32(), Flux.just(3)).thenReturn(true));
    assertEquals(List.of(Envelope.of(3)), wrapped.block(Nodes.PATIENCE).getT1());
  }

  @Test
  void chosenContextEntriesCrossTheWireWithAStream() {
    Nodes.Pair pair = nodes.pair(config -> config.propagateContext("trace", "tenant"));
    var received = pair.toClient().receiveEnvelopes("e", Codecs.int32()).collectList();
    var sent = pair.toServer()
        .sendEnvelopes("e", Codecs.int32(), Flux.just(Envelope.of(1)))
        .contextWrite(c -> c.put("trace", "abc").put("secret", "xyz"))
        .thenReturn(true);

    Envelope<Integer> got =
        Mono.zip(received, sent).block(Nodes.PATIENCE).getT1().get(0);

    assertEquals(Map.of("trace", "abc"), got.context());
  }

  @Test
  void chosenContextEntriesReachTheHandlerOfARequest() {
    Nodes.Pair pair = nodes.pair(config -> config.propagateContext("trace"));
    Route<Integer, String> trace = new Route<>("trace", Codecs.int32(), Codecs.utf8());
    pair.server()
        .respond(
            trace,
            n -> Mono.deferContextual(
                c -> Mono.just(c.getOrDefault("trace", "none") + c.hasKey("secret"))));

    String reply = pair.toServer()
        .request(trace, 1)
        .contextWrite(c -> c.put("trace", "abc").put("secret", "xyz"))
        .block(Nodes.PATIENCE);

    assertEquals("abcfalse", reply);
    assertEquals("nonefalse", pair.toServer().request(trace, 1).block(Nodes.PATIENCE));
  }

  @Test
  void sourceSeesTheContextOfTheSend() {
    Nodes.Pair pair = nodes.pair();
    Flux<String> source = Flux.deferContextual(c -> Flux.just(c.<String>get("user")));
    var both = Mono.zip(
        pair.toClient().receive("e", Codecs.utf8()).collectList(),
        pair.toServer()
            .send("e", Codecs.utf8(), source)
            .contextWrite(c -> c.put("user", "me"))
            .thenReturn(true));

    assertEquals(List.of("me"), both.block(Nodes.PATIENCE).getT1());
  }

  @Test
  void oversizedContextFailsTheSendOnly() {
    Nodes.Pair pair = nodes.pair(config -> config.propagateContext("trace"));
    Mono<Void> send = pair.toServer()
        .send("e", Codecs.int32(), Flux.just(1))
        .contextWrite(c -> c.put("trace", "x".repeat(5000)));

    StepVerifier.create(send).expectError(IllegalArgumentException.class).verify(Nodes.PATIENCE);
    var both = Mono.zip(
        pair.toClient().receive("e", Codecs.int32()).collectList(),
        pair.toServer().send("e", Codecs.int32(), Flux.just(1)).thenReturn(true));
    assertEquals(List.of(1), both.block(Nodes.PATIENCE).getT1());
  }

  @Test
  void remainingTimeToLiveArrivesWithTheMessage() {
    Nodes.Pair pair = nodes.pair();
    var source = Flux.just(
        Envelope.of(1),
        Envelope.of(2),
        Envelope.of(3).withTimeToLive(Duration.ofHours(1)),
        Envelope.of(4));
    var got = Mono.zip(
            pair.toClient().receiveEnvelopes("e", Codecs.int32()).collectList(),
            pair.toServer().sendEnvelopes("e", Codecs.int32(), source).thenReturn(true))
        .block(Nodes.PATIENCE)
        .getT1();

    Duration left = got.get(2).timeToLive();
    assertNotNull(left);
    assertTrue(
        left.compareTo(Duration.ofHours(1)) <= 0 && left.compareTo(Duration.ofMinutes(59)) > 0);
    assertNull(got.get(1).timeToLive());
    assertNull(got.get(3).timeToLive());
  }

  @Test
  void receiptsArriveForEachMessageInOrder() {
    Nodes.Pair pair = nodes.pair();
    var receipts = pair.toServer()
        .sendWithReceipts("r", Codecs.int32(), Flux.range(0, 5000))
        .collectList();
    var both = Mono.zip(pair.toClient().receive("r", Codecs.int32()).count(), receipts);

    List<Receipt> got = both.block(Nodes.PATIENCE).getT2();

    assertEquals(5000, got.size());
    for (int i = 0; i < 5000; i++) {
      assertEquals(new Receipt(i, Outcome.ACKNOWLEDGED), got.get(i));
    }
  }

  @Test
  void unrequestedReceiptsDoNotDelayMessages() {
    Nodes.Pair pair = nodes.pair();
    StepVerifier.create(
            pair.toServer().sendWithReceipts("r", Codecs.int32(), Flux.range(0, 5000)), 0)
        .expectSubscription()
        .then(() -> assertEquals(
            5000L, pair.toClient().receive("r", Codecs.int32()).count().block(Nodes.PATIENCE)))
        .thenRequest(10)
        .expectNextCount(10)
        .thenRequest(Long.MAX_VALUE)
        .expectNextCount(4990)
        .expectComplete()
        .verify(Nodes.PATIENCE);
  }

  @Test
  void receiptsFailAfterARemoteCancelWithTheAcknowledgedCount() {
    Nodes.Pair pair = nodes.pair();
    List<Receipt> got = new CopyOnWriteArrayList<>();
    AtomicBoolean failed = new AtomicBoolean();
    pair.toServer()
        .sendWithReceipts("r", Codecs.int32(), Flux.range(0, 1_000_000))
        .subscribe(got::add, e -> {
          assertEquals(
              got.size(), assertInstanceOf(StreamCancelledException.class, e).acknowledgedCount());
          failed.set(true);
        });
    pair.toClient().receive("r", Codecs.int32()).take(7).blockLast(Nodes.PATIENCE);

    await().untilTrue(failed);
    assertEquals(7, got.size());
  }

  @Test
  void cancellationOfReceiptsCancelsTheSend() {
    Nodes.Pair pair = nodes.pair();
    TestPublisher<Integer> source = TestPublisher.create();
    var sending =
        pair.toServer().sendWithReceipts("r", Codecs.int32(), source.flux()).subscribe();
    await().until(() -> source.subscribeCount() == 1);
    sending.dispose();

    await().until(source::wasCancelled);
  }
}
