package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.StreamRejectedException;
import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import io.railflux.message.Envelope;
import io.railflux.message.Headers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Invalid arguments are reported at the call or to the subscriber, without a wait. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ArgumentsTest {

  private static final Codec<Integer> INT = Codecs.int32();
  private static final Route<Integer, Integer> ECHO = new Route<>("echo", INT, INT);

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private static void assertNull(String named, Executable call) {
    assertEquals(named, assertThrows(NullPointerException.class, call).getMessage());
  }

  private static void verifyError(Publisher<?> publisher, Class<? extends Throwable> type) {
    StepVerifier.create(publisher).expectError(type).verify(Nodes.PATIENCE);
  }

  @Test
  void peerRejectsNullArguments() {
    Peer peer = nodes.pair().toServer();
    Flux<Integer> one = Flux.just(1);
    assertNull("name", () -> peer.send(null, INT, one));
    assertNull("codec", () -> peer.send("n", null, one));
    assertNull("values", () -> peer.send("n", INT, null));
    assertNull("values", () -> peer.sendEnvelopes("n", INT, null));
    assertNull("values", () -> peer.sendWithReceipts("n", INT, null));
    assertNull("codec", () -> peer.sendEnvelopesWithReceipts("n", null, Flux.empty()));
    assertNull("name", () -> peer.receive(null, INT));
    assertNull("codec", () -> peer.receive("n", null));
    assertNull("codec", () -> peer.receiveEnvelopes("n", null));
    assertNull("name", () -> peer.receiveMessages(null));
    assertNull("route", () -> peer.request((Route<Integer, Integer>) null, 1));
    assertNull("request", () -> peer.request(ECHO, (Integer) null));
    assertNull("request", () -> peer.request(ECHO, (Envelope<Integer>) null));
    assertNull("request", () -> peer.requestStream(ECHO, (Integer) null));
    assertNull("request", () -> peer.requestStream(ECHO, (Envelope<Integer>) null));
  }

  @Test
  void nodeRejectsNullArguments() {
    Node node = nodes.start("n");
    assertNull("address", () -> node.bind(null));
    assertNull("addresses", () -> node.connect(null));
    assertNull("route", () -> node.respond((Route<Integer, Integer>) null, Mono::just));
    assertNull("handler", () -> node.respond(ECHO, (Function<Integer, Mono<Integer>>) null));
    assertNull("handler", () -> node.respondStream(ECHO, (Function<Integer, Mono<Integer>>) null));
  }

  @Test
  void messagesRejectNullArguments() {
    assertNull("payload", () -> Envelope.of(null));
    assertNull("headers", () -> Envelope.of(1).withHeaders(null));
    assertNull("context", () -> Envelope.of(1).withContext(null));
    assertNull("name", () -> Headers.empty().with(null, "v"));
    assertNull("value", () -> Headers.empty().with("h", (String) null));
    assertNull("value", () -> Headers.empty().with("h", (byte[]) null));
    assertNull("type", () -> Codecs.record(null));
    assertNull("name", () -> Codecs.flyweight(null, 1, () -> null));
    assertNull("factory", () -> Codecs.flyweight("n", 1, null));
    assertNull("name", () -> new Route<>(null, INT, INT));
    assertNull("requestCodec", () -> new Route<>("r", null, INT));
    assertNull("replyCodec", () -> new Route<>("r", INT, null));
  }

  @Test
  void reportsACodecWithoutAName() {
    Peer peer = nodes.pair().toServer();
    String errorText = assertThrows(
            NullPointerException.class, () -> peer.receive("n", new Nameless()))
        .getMessage();

    assertTrue(errorText.startsWith("name() of codec"), errorText);
  }

  private static final class Nameless implements Codec<Integer> {

    @Override
    public String name() {
      return null;
    }

    @Override
    public int maxEncodedBytes(Integer value) {
      return 0;
    }

    @Override
    public void encode(Integer value, ByteBuffer slot) {}

    @Override
    public Integer decode(ByteBuffer slot) {
      return 0;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\ud800", "256"})
  void reportsAnInvalidNameToTheSubscriber(String kind) {
    Peer peer = nodes.pair().toServer();
    String name = "256".equals(kind) ? "é".repeat(128) : kind;

    verifyError(peer.send(name, INT, Flux.just(1)), IllegalArgumentException.class);
    verifyError(peer.sendWithReceipts(name, INT, Flux.just(1)), IllegalArgumentException.class);
    verifyError(peer.receive(name, INT), IllegalArgumentException.class);
    verifyError(peer.receiveEnvelopes(name, INT), IllegalArgumentException.class);
    verifyError(peer.receiveMessages(name), IllegalArgumentException.class);
  }

  @Test
  void rejectsAHeaderNameThatWouldChangeInTransit() {
    assertThrows(IllegalArgumentException.class, () -> Headers.empty().with("a\ud800b", "v"));
    assertEquals(1, Headers.empty().with("\ud83d\ude00", "v").size());
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MAX_VALUE})
  void rejectsAnInvalidTimeToLive(long seconds) {
    Envelope<Integer> envelope = Envelope.of(1);
    Duration limit = Duration.ofSeconds(seconds);

    assertThrows(IllegalArgumentException.class, () -> envelope.withTimeToLive(limit));
  }

  @Test
  void acceptsTheLongestTimeToLive() {
    Nodes.Pair pair = nodes.pair();
    pair.server().respond(ECHO, Mono::just);
    Envelope<Integer> lasting = Envelope.of(7).withTimeToLive(Duration.ofNanos(Long.MAX_VALUE));

    assertEquals(7, pair.toServer().request(ECHO, lasting).block(Nodes.PATIENCE));
  }

  @Test
  void reportsContextThatDoesNotFit() {
    Peer peer = nodes.pair(config -> config.propagateContext("trace")).toServer();
    for (Publisher<?> tooMuch : List.of(peer.send("n", INT, Flux.just(1)), peer.request(ECHO, 1))) {
      StepVerifier.create(
              Flux.from(tooMuch).contextWrite(context -> context.put("trace", "x".repeat(2000))))
          .expectErrorSatisfies(e -> assertTrue(e.getMessage().contains("'trace'"), e.toString()))
          .verify(Nodes.PATIENCE);
    }
  }

  @Test
  void acceptsAddressesWithSurroundingBlanks() {
    Node node = nodes.start("n");
    String address = nodes.newAddress();

    assertEquals(address, node.bind(" " + address + " ").block(Nodes.PATIENCE));
    assertEquals(
        "n", node.connect(address + " , " + address).block(Nodes.PATIENCE).name());
  }

  @Test
  void endedReceiveMayBeSubscribedAgain() {
    Nodes.Pair pair = nodes.pair();
    Flux<Integer> received = pair.toClient().receive("n", INT);
    for (int i = 0; i < 3; i++) {
      pair.toServer().send("n", INT, Flux.just(i)).subscribe();
      assertEquals(i, received.blockLast(Nodes.PATIENCE));
    }
    received.onErrorComplete().subscribe();
    verifyError(received, StreamRejectedException.class);
  }
}
