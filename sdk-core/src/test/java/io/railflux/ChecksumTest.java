package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.Checksum;
import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.message.Codecs;
import io.railflux.policy.Recovery;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Streams over TCP without a secret, over a network that changes bytes. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class ChecksumTest {

  private static final Duration LONG = Duration.ofMinutes(2);
  private static final int MIB = 1 << 20;

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private Relay relay;
  private Node server;
  private Node client;

  @AfterEach
  void closeRelay() throws IOException {
    nodes.closeAll();
    if (relay != null) {
      relay.close();
    }
  }

  private static Railflux overTcp(Railflux config) {
    // So that hundreds of losses take only seconds.
    return config
        .fabrics(new TcpFabricProvider())
        .connectionsPerRail(1)
        .recovery(new Recovery(Duration.ofMillis(1), Duration.ofMillis(4)));
  }

  private void start(Checksum ofServer, Checksum ofClient, Corruption forth, Corruption back)
      throws IOException {
    server = nodes.start("server", config -> overTcp(config).checksum(ofServer));
    client = nodes.start("client", config -> overTcp(config).checksum(ofClient));
    String address = server.bind("tcp:127.0.0.1:0").block(Nodes.PATIENCE);
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    relay = new Relay(port, forth, back);
  }

  private Nodes.Pair connected() {
    return nodes.join(server, client, relay.address());
  }

  private static byte[] message(int number, int bytes) {
    byte[] content = new byte[bytes];
    new Random(number).nextBytes(content);
    return content;
  }

  private static Flux<byte[]> messages(int count, int bytes) {
    return Flux.range(0, count).map(number -> message(number, bytes));
  }

  /** Completes after all messages arrived once, in order and unchanged. */
  private static Mono<Integer> received(Peer from, int count, int bytes) {
    AtomicInteger next = new AtomicInteger();
    return from.receive("messages", Codecs.bytes())
        .doOnNext(content -> {
          int number = next.getAndIncrement();
          assertTrue(
              Arrays.equals(message(number, bytes), content),
              () -> "message " + number + " differs from the sent message");
        })
        .count()
        .map(all -> {
          assertEquals(count, all.intValue());
          return next.get();
        });
  }

  private static int number(String digits) {
    return Integer.parseInt(digits.replace("_", ""));
  }

  private long corrupted() {
    return server.thread().framesCorrupted() + client.thread().framesCorrupted();
  }

  @Test
  void changedByteReachesTheSubscriberWithoutChecksums() throws IOException {
    start(Checksum.ALLOWED, Checksum.ALLOWED, Corruption.at(MIB / 2), Corruption.none());
    Nodes.Pair pair = connected();
    var sent = pair.toServer().send("messages", Codecs.bytes(), messages(1, MIB));
    var received = pair.toClient().receive("messages", Codecs.bytes()).next();

    byte[] content = Mono.zip(received, sent.thenReturn(true)).block(LONG).getT1();

    byte[] right = message(0, MIB);
    long wrong = IntStream.range(0, MIB).filter(i -> content[i] != right[i]).count();
    assertEquals(1, wrong);
    assertEquals(1, relay.changes());
    assertEquals(0, corrupted());
    assertFalse(
        pair.toServer().explain().contains("checksummed"), pair.toServer().explain());
  }

  /**
   * In both directions concurrently, with at least thirty changes: all messages arrive once, in order and unchanged. A
   * replay starts at the beginning of a message, so the changes are further apart than the length of a message.
   */
  @ParameterizedTest
  @CsvSource({
    "64, 50_000, 150_000, REQUIRED, ALLOWED",
    "3_000, 3_000, 350_000, ALLOWED, PREFERRED",
    "65_536, 150, 400_000, ALLOWED, REQUIRED",
    "524_288, 40, 1_200_000, PREFERRED, PREFERRED"
  })
  void changedBytesNeverReachASubscriberWithChecksums(
      String messageBytes, String messages, String apart, Checksum ofServer, Checksum ofClient)
      throws IOException {
    int bytes = number(messageBytes);
    int count = number(messages);
    int meanBytes = number(apart);
    start(ofServer, ofClient, Corruption.every(meanBytes, 1), Corruption.every(meanBytes, 2));
    Nodes.Pair pair = connected();
    assertTrue(pair.toServer().explain().contains("frames checksummed"));

    Mono.when(
            received(pair.toClient(), count, bytes),
            received(pair.toServer(), count, bytes),
            pair.toServer().send("messages", Codecs.bytes(), messages(count, bytes)),
            pair.toClient().send("messages", Codecs.bytes(), messages(count, bytes)))
        .block(LONG);

    assertTrue(relay.changes() >= 30, () -> "only " + relay.changes() + " changes");
    // Changes in flight at the end of a connection are not counted, and a changed greeting counts
    // as a rejection.
    assertTrue(
        corrupted() > relay.changes() / 4 && corrupted() <= relay.changes(),
        () -> corrupted() + " found of " + relay.changes());
  }

  static IntStream positionsOfAHandshake() {
    return IntStream.concat(
        IntStream.range(0, 16), IntStream.iterate(16, at -> at < 420, at -> at + 31));
  }

  /** Changes bytes of either side. The result is a clean error, or a session with checksums. */
  @ParameterizedTest
  @MethodSource("positionsOfAHandshake")
  void rejectsAChangedHandshake(int position) throws IOException {
    for (boolean forth : new boolean[] {true, false}) {
      Corruption change = Corruption.at(position);
      start(
          Checksum.ALLOWED,
          Checksum.REQUIRED,
          forth ? change : Corruption.none(),
          forth ? Corruption.none() : change);
      String outcome = client
          .connect(relay.address())
          .map(Peer::explain)
          .onErrorResume(e -> Mono.just("error: " + e.getMessage()))
          .block(LONG);

      assertTrue(
          outcome.contains("cannot connect: tcp:127.0.0.1")
              || outcome.contains("frames checksummed"),
          outcome);
      closeRelay();
    }
  }
}
