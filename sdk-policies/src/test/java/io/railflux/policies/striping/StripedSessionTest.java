package io.railflux.policies.striping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Railflux;
import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import io.railflux.metrics.RailStatus;
import io.railflux.policy.StripingPolicy;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The papers' policies in a session between two nodes over two addresses of one fabric, which are two rails. */
class StripedSessionTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int LARGE_BYTES = 1 << 20;
  private static final int LARGE = 64;
  private static final int SMALL_BYTES = 1_000;
  private static final int SMALL = 20_000;

  private Node server;
  private Node client;
  private Peer peer;

  @BeforeEach
  void connect() {
    server = start("server");
    String first = server.bind("tcp:127.0.0.1:0").block(PATIENCE);
    String second = first.replace("127.0.0.1", "127.0.0.2");
    server.bind(second).block(PATIENCE);
    client = start("client");
    peer = client.connect(first).block(PATIENCE);
    peer.addRail(second).block(PATIENCE);
  }

  private static Node start(String name) {
    return Railflux.create().name(name).fabrics(new TcpFabricProvider()).start().block(PATIENCE);
  }

  @AfterEach
  void close() {
    client.close().then(server.close()).block(PATIENCE);
  }

  /** Sends messages with a policy and returns the bytes of each rail. */
  private long[] carried(Supplier<StripingPolicy> policy, int count, int sizeBytes) {
    peer.striping(policy.get()).block(PATIENCE);
    long[] before = sentBytes();
    Codec<byte[]> codec = Codecs.bytes();
    Peer from = server.peers().blockFirst(PATIENCE);
    Flux<byte[]> messages = Flux.range(0, count).map(i -> {
      byte[] message = new byte[sizeBytes];
      message[0] = i.byteValue();
      return message;
    });
    String stream = "of " + count;
    List<Byte> received = Flux.merge(
            peer.send(stream, codec, messages).<Byte>then(Mono.empty()),
            from.receive(stream, codec).map(message -> message[0]))
        .collectList()
        .block(PATIENCE);
    assertEquals(Flux.range(0, count).map(Integer::byteValue).collectList().block(), received);
    long[] after = sentBytes();
    return new long[] {after[0] - before[0], after[1] - before[1]};
  }

  private long[] sentBytes() {
    return peer.rails().stream()
        .map(RailStatus::load)
        .mapToLong(RailStatus.Load::bytes)
        .toArray();
  }

  private static void assertRatio(double expected, long[] carried) {
    double ratio = (double) carried[0] / carried[1];
    assertTrue(
        ratio > 0.8 * expected && ratio < 1.25 * expected, carried[0] + " beside " + carried[1]);
  }

  @Test
  @Tag("MR2")
  void weightsApplyToAddressesInTheirOrder() {
    assertRatio(3, carried(Striping.weighted(3, 1), LARGE, LARGE_BYTES));
  }

  @Test
  @Tag("MR2")
  void largeMessagesTakeTurnsByWeight() {
    assertRatio(3, carried(Striping.weightedRoundRobin(3, 1), LARGE, LARGE_BYTES));
  }

  @Test
  @Tag("MR2")
  void largeMessagesTakeTurns() {
    assertRatio(1, carried(Striping.roundRobin(), LARGE, LARGE_BYTES));
  }

  @Test
  @Tag("MR2")
  void windowsOfAnOddNumberOfLargeMessagesTakeTurns() {
    assertRatio(1, carried(Striping.windowed(3), LARGE + 2, LARGE_BYTES));
  }

  @Test
  @Tag("MR2")
  void smallMessagesTakeTurns() {
    assertRatio(1, carried(Striping.roundRobin(), SMALL, SMALL_BYTES));
  }

  @Test
  @Tag("MR2")
  void bindingUsesTheFirstRailOnly() {
    long[] carried = carried(Striping.binding(), LARGE, LARGE_BYTES);
    assertTrue(carried[1] < LARGE_BYTES, () -> carried[1] + " bytes over the second");
  }

  static List<Supplier<StripingPolicy>> thatLearn() {
    return List.of(
        Striping.adaptive(0.5),
        Striping.batched(2, 2),
        Striping.probing(Striping.adaptive(0.5), 4),
        Striping.communicationAware());
  }

  @ParameterizedTest
  @MethodSource("thatLearn")
  @Tag("MR6")
  @Tag("MR7")
  void adaptiveUsesBothRailsAndItsWeightsAddUpToOne(Supplier<StripingPolicy> policy) {
    long[] carried = carried(policy, LARGE, LARGE_BYTES);
    assertTrue(
        carried[0] > LARGE_BYTES && carried[1] > LARGE_BYTES,
        () -> carried[0] + " beside " + carried[1]);
    assertEquals(1, peer.rails().stream().mapToDouble(RailStatus::weight).sum(), 1e-9);
  }

  @Test
  @Tag("MR7")
  void batchOfOneUsesTheBestPathOnly() {
    long[] carried = carried(Striping.batched(2, 1), LARGE, LARGE_BYTES);
    assertTrue(
        Math.min(carried[0], carried[1]) < LARGE_BYTES, () -> carried[0] + " beside " + carried[1]);
  }
}
