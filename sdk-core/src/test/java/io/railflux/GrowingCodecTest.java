package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.MessageTooLargeException;
import io.railflux.exceptions.RemoteStreamException;
import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import io.railflux.message.Envelope;
import io.railflux.message.GrowingCodec.ValueWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.publisher.TestPublisher;

/** Codecs without a known message size before encoding, between two nodes. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class GrowingCodecTest {

  private static final int MAX_BYTES = 4 << 20;
  private static final int EAGER_BYTES = 256 << 10;
  private static final int PIECE_BYTES = 1_000;

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private final AtomicInteger writes = new AtomicInteger();

  private Nodes.Pair pair;

  @BeforeEach
  void connect() {
    pair = nodes.pair(config -> config.maxMessageBytes(MAX_BYTES));
  }

  @AfterEach
  void otherStreamsGoOn() {
    var both = Mono.zip(
        pair.toClient().receive("alive", Codecs.int32()).collectList(),
        pair.toServer().send("alive", Codecs.int32(), Flux.just(1, 2)).thenReturn(true));
    assertEquals(List.of(1, 2), both.block(Nodes.PATIENCE).getT1());
  }

  private static Codec<byte[]> codec(ValueWriter<byte[]> writer) {
    return Codecs.growing("pieces", writer, source -> source.readAllBytes());
  }

  /** Writes in pieces, as serializers do. */
  private final Codec<byte[]> pieces = codec((value, target) -> {
    writes.incrementAndGet();
    writePieces(value, target);
  });

  private static void writePieces(byte[] value, OutputStream target) throws IOException {
    try (target) {
      for (int at = 0; at < value.length; at += PIECE_BYTES) {
        target.write(value[at]);
        target.write(value, at + 1, Math.min(PIECE_BYTES, value.length - at) - 1);
      }
      target.flush();
    }
  }

  private static byte[] value(int bytes) {
    byte[] value = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      value[i] = (byte) ((i * 31) >>> 3);
    }
    return value;
  }

  private static <E extends Throwable> E failure(Class<E> type, CompletableFuture<?> future) {
    var e = assertThrows(ExecutionException.class, () -> future.get(20, TimeUnit.SECONDS));
    return type.cast(e.getCause());
  }

  private CompletableFuture<List<byte[]>> received() {
    return pair.toClient().receive("n", pieces).collectList().toFuture();
  }

  /** Subscribes in tests that examine the sender only. */
  private void receiveAndIgnore() {
    pair.toClient().receive("n", pieces).subscribe(value -> {}, e -> {});
  }

  private CompletableFuture<Void> sent(Codec<byte[]> codec, byte[]... values) {
    return pair.toServer().send("n", codec, Flux.just(values)).toFuture();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {0, 1, 1_000, 1_024, 64 << 10, EAGER_BYTES - 1, EAGER_BYTES, EAGER_BYTES + 1, MAX_BYTES
      })
  void messagesOfEverySizeArrive(int bytes) throws Exception {
    byte[] value = value(bytes);
    var received = received();
    sent(pieces, value, value, value).get(20, TimeUnit.SECONDS);

    List<byte[]> got = received.get(20, TimeUnit.SECONDS);
    assertEquals(3, got.size());
    got.forEach(message -> assertTrue(Arrays.equals(value, message)));
  }

  @Test
  void valuesWithASlotAreWrittenOnceAndLargeOnesTwice() throws Exception {
    var received = received();
    sent(pieces, value(10), value(60_000)).get(20, TimeUnit.SECONDS);
    received.get(20, TimeUnit.SECONDS);
    assertEquals(2, writes.getAndSet(0));

    received = received();
    sent(pieces, value(MAX_BYTES), value(1 << 20)).get(20, TimeUnit.SECONDS);
    received.get(20, TimeUnit.SECONDS);
    assertEquals(4, writes.get());
  }

  @Test
  void waitingValuesAreNotWrittenRepeatedly() throws Exception {
    int count = 2_000;
    AtomicReference<org.reactivestreams.Subscription> reader = new AtomicReference<>();
    AtomicInteger got = new AtomicInteger();
    pair.toClient().receive("n", pieces).subscribe(new reactor.core.publisher.BaseSubscriber<>() {
      @Override
      protected void hookOnSubscribe(org.reactivestreams.Subscription subscription) {
        reader.set(subscription);
      }

      @Override
      protected void hookOnNext(byte[] value) {
        got.incrementAndGet();
      }
    });
    TestPublisher<byte[]> source = TestPublisher.createCold();
    IntStream.range(0, count).forEach(i -> source.next(value(8_000)));
    source.complete();
    var sent = pair.toServer().send("n", pieces, source.flux()).toFuture();
    await().until(() -> reader.get() != null);
    for (int i = 0; i < count; i += 100) {
      reader.get().request(100);
      int most = i;
      await().until(() -> got.get() > most);
    }
    reader.get().request(Long.MAX_VALUE);
    sent.get(20, TimeUnit.SECONDS);

    assertTrue(writes.get() <= 2 * count, writes + " writes of " + count + " messages");
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 1 << 20})
  void envelopesArrive(int bytes) {
    Envelope<byte[]> envelope =
        Envelope.of(value(bytes)).withHeader("key", "value").withTimeToLive(Duration.ofMinutes(1));
    var received = pair.toClient().receiveEnvelopes("n", pieces).collectList().toFuture();
    pair.toServer().sendEnvelopes("n", pieces, Flux.just(envelope)).block(Nodes.PATIENCE);

    Envelope<byte[]> got = received.join().get(0);
    assertTrue(Arrays.equals(value(bytes), got.payload()));
    assertEquals("value", got.headers().text("key").orElseThrow());
    assertEquals(bytes > EAGER_BYTES ? 2 : 1, writes.get());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100, EAGER_BYTES, EAGER_BYTES + 1, 2 << 20})
  void requestsAndRepliesArrive(int bytes) {
    Route<byte[], byte[]> echo = new Route<>("echo", pieces, pieces);
    pair.server().respond(echo, Mono::just);
    pair.server()
        .respondStream(
            new Route<>("twice", pieces, pieces),
            value -> Flux.just(value, value).hide());

    byte[] value = value(bytes);
    byte[] reply = pair.toServer().request(echo, value).block(Nodes.PATIENCE);
    assertTrue(Arrays.equals(value, reply));
    List<byte[]> replies = pair.toServer()
        .requestStream(new Route<>("twice", pieces, pieces), value)
        .collectList()
        .block(Nodes.PATIENCE);
    assertEquals(2, replies.size());
    replies.forEach(each -> assertTrue(Arrays.equals(value, each)));
  }

  @Test
  void rejectsAValueBeyondTheLimitDuringEncoding() {
    AtomicInteger taken = new AtomicInteger();
    Codec<byte[]> endless = codec((value, target) -> {
      while (true) {
        target.write(value);
        taken.addAndGet(value.length);
      }
    });
    receiveAndIgnore();
    var refusal = failure(MessageTooLargeException.class, sent(endless, value(100_000)));
    assertEquals(MAX_BYTES, refusal.limitBytes());
    assertTrue(taken.get() <= MAX_BYTES, taken + " bytes were accepted");

    failure(
        MessageTooLargeException.class,
        pair.toServer()
            .request(new Route<>("r", endless, pieces), value(100_000))
            .toFuture());
  }

  @Test
  void rejectionAppliesEvenIfTheCodecSwallowsIt() {
    Codec<byte[]> swallowing = codec((value, target) -> {
      try {
        writePieces(value, target);
      } catch (RuntimeException e) {
        // Swallows the exception.
      }
    });
    receiveAndIgnore();
    failure(MessageTooLargeException.class, sent(swallowing, value(MAX_BYTES + 1)));
    Codec<byte[]> wrapping = codec((value, target) -> {
      try {
        writePieces(value, target);
      } catch (RuntimeException e) {
        throw new IOException("wrapped", e);
      }
    });
    receiveAndIgnore();
    failure(MessageTooLargeException.class, sent(wrapping, value(MAX_BYTES + 1)));
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 1 << 20})
  void partialWriteOfAThrowingCodecIsDiscarded(int bytes) {
    // In the first encoding, and in the second, which only large messages have.
    for (int at = 1; at <= (bytes > EAGER_BYTES ? 2 : 1); at++) {
      int failing = at;
      AtomicInteger calls = new AtomicInteger();
      Codec<byte[]> broken = codec((value, target) -> {
        target.write(value, 0, value.length / 2);
        if (calls.incrementAndGet() >= failing) {
          throw new IOException("expected");
        }
        target.write(value, value.length / 2, value.length - value.length / 2);
      });
      receiveAndIgnore();
      failure(UncheckedIOException.class, sent(broken, value(bytes)));
      calls.set(0);
      failure(
          UncheckedIOException.class,
          pair.toServer()
              .request(new Route<>("r" + at, broken, pieces), value(bytes))
              .toFuture());
      calls.set(0);
      Route<byte[], byte[]> answered = new Route<>("broken" + at, pieces, broken);
      var registered = pair.server().respond(answered, ignored -> Mono.just(value(bytes)));
      failure(
          RemoteStreamException.class,
          pair.toServer().request(answered, value(1)).toFuture());
      registered.dispose();
    }
    await().until(() -> pair.client().engine().largeMessageBytes() == 0);
  }

  @Test
  void valueThatGrowsBetweenTheWritesFailsItsStream() {
    AtomicInteger calls = new AtomicInteger();
    Codec<byte[]> moody = codec(
        (value, target) -> target.write(value, 0, value.length - 2 + calls.incrementAndGet()));
    receiveAndIgnore();
    String errorText =
        failure(IllegalStateException.class, sent(moody, value(1 << 20))).getMessage();
    assertTrue(errorText.contains("must not change while it is sent"), errorText);
  }

  @Test
  void retainedTargetAcceptsNothing() throws Exception {
    AtomicReference<OutputStream> kept = new AtomicReference<>();
    Codec<byte[]> keeping = codec((value, target) -> {
      kept.set(target);
      target.write(value);
    });
    var received = received();
    sent(keeping, value(10), value(1 << 20)).get(20, TimeUnit.SECONDS);
    assertThrows(IllegalStateException.class, () -> kept.get().write(1));
    assertEquals(2, received.get(20, TimeUnit.SECONDS).size());
  }

  @Test
  void writersMaySendOtherMessages() throws Exception {
    Route<byte[], byte[]> echo = new Route<>("echo", pieces, pieces);
    pair.server().respond(echo, Mono::just);
    List<byte[]> replies = new CopyOnWriteArrayList<>();
    Codec<byte[]> sending = codec((value, target) -> {
      target.write(value, 0, value.length / 2);
      pair.toServer().request(echo, value(7)).subscribe(replies::add);
      target.write(value, value.length / 2, value.length - value.length / 2);
    });
    var received = received();
    sent(sending, value(50), value(300)).get(20, TimeUnit.SECONDS);

    List<byte[]> got = received.get(20, TimeUnit.SECONDS);
    assertTrue(Arrays.equals(value(50), got.get(0)) && Arrays.equals(value(300), got.get(1)));
    await().until(() -> replies.size() == 2);
    replies.forEach(reply -> assertTrue(Arrays.equals(value(7), reply)));
  }

  @Test
  void undecodableMessageFailsItsStream() {
    Codec<byte[]> unreadable = Codecs.growing("pieces", (value, target) -> {}, source -> {
      throw new IOException("no such value");
    });
    pair.toServer().send("n", pieces, Flux.just(value(10))).subscribe(null, e -> {});
    var received = pair.toClient().receive("n", unreadable).next().toFuture();
    String errorText = failure(UncheckedIOException.class, received).getMessage();
    assertTrue(
        errorText.contains("pieces: a message of 10 bytes") && errorText.contains("no such value"),
        errorText);
  }
}
