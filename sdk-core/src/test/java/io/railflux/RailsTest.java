package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.message.Codecs;
import io.railflux.metrics.RailEvent;
import io.railflux.metrics.RailEvent.Kind;
import io.railflux.metrics.RailStatus;
import io.railflux.policy.StripingPolicy;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

/** The readings of a peer's rails, and their changes at run time. */
@Tag("FT2")
class RailsTest {

  private static final int MESSAGES = 200_000;

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private final List<RailEvent> events = new CopyOnWriteArrayList<>();
  private final List<RailEvent> ofServer = new CopyOnWriteArrayList<>();
  private String first;
  private String second;
  private Peer toServer;
  private Peer toClient;

  @BeforeEach
  void connect() {
    Node server = nodes.start("server", config -> config.fabrics(new TcpFabricProvider()));
    first = server.bind("tcp:127.0.0.1:0").block(Nodes.PATIENCE);
    second = server.bind("tcp:127.0.0.2:0").block(Nodes.PATIENCE);
    Node client = nodes.start("client", config -> config.fabrics(new TcpFabricProvider()));
    client.railEvents().subscribe(events::add);
    server.railEvents().subscribe(ofServer::add);
    toServer = client.connect(first).block(Nodes.PATIENCE);
    toClient = server.peers().blockFirst(Nodes.PATIENCE);
  }

  private static void await(BooleanSupplier condition) {
    Awaitility.await().atMost(Nodes.PATIENCE).until(condition::getAsBoolean);
  }

  private static List<RailStatus> rails(Peer peer) {
    return peer.rails();
  }

  private static long available(Peer peer) {
    return rails(peer).stream().filter(RailStatus::available).count();
  }

  private boolean happened(Kind kind) {
    return events.stream().anyMatch(event -> event.kind() == kind);
  }

  /** Sends numbers, runs an action at each of them, and returns the received numbers. */
  private List<Integer> stream(IntConsumer atEach) throws Exception {
    CompletableFuture<List<Integer>> received = new CompletableFuture<>();
    toClient
        .receive("n", Codecs.int32())
        .doOnNext(atEach::accept)
        .collectList()
        .subscribe(received::complete, received::completeExceptionally);
    toServer.send("n", Codecs.int32(), Flux.range(0, MESSAGES)).block(Nodes.PATIENCE);
    return received.get();
  }

  private static List<Integer> numbers() {
    return IntStream.range(0, MESSAGES).boxed().toList();
  }

  @Test
  @Tag("MR12")
  void streamContinuesWhileRailsAreAddedAndRemoved() throws Exception {
    List<Integer> arrived = stream(number -> {
      if (number == MESSAGES / 3) {
        toServer.addRail(second).then(toServer.removeRail(first)).subscribe();
      }
    });

    assertEquals(numbers(), arrived);
    await(() -> happened(Kind.ADDED) && happened(Kind.REMOVED) && happened(Kind.SETTLED));
    // Removed rails are not reported on either side.
    await(() -> rails(toServer).size() == 1 && rails(toClient).size() == 1);
    RailStatus left = rails(toServer).get(0);
    assertTrue(left.available() && left.path() == 1, left::toString);
    assertEquals(1, available(toClient));
    assertFalse(happened(Kind.LOST), "a removal is no loss");
    assertTrue(ofServer.stream().anyMatch(event -> event.kind() == Kind.REMOVED));
    assertTrue(ofServer.stream().noneMatch(event -> event.kind() == Kind.LOST), ofServer::toString);
  }

  @Test
  void removedRailDoesNotReturnAndTheLastOneStays() {
    toServer.addRail(second).block(Nodes.PATIENCE);
    await(() -> available(toServer) == 2 && available(toClient) == 2);
    toServer.removeRail(second).block(Nodes.PATIENCE);

    await(() -> happened(Kind.SETTLED) && available(toClient) == 1);
    StepVerifier.create(toServer.removeRail(first))
        .expectErrorMessage(
            "peer 'server' would be without a rail; add another one first, or close the peer")
        .verify(Nodes.PATIENCE);
    StepVerifier.create(toServer.removeRail(second))
        .expectErrorMessage("peer 'server' has no rail to " + second)
        .verify(Nodes.PATIENCE);
    assertFalse(happened(Kind.RETRYING), events::toString);
  }

  private WeakReference<Object> waiting(Consumer<Mono<Void>> subscriber) {
    Object inContext = new Object();
    subscriber.accept(toServer.addRail(second).contextWrite(Context.of("waiting", inContext)));
    return new WeakReference<>(inContext);
  }

  private void assertForgotten(WeakReference<Object> waiting) {
    await(() -> available(toServer) == 2);
    await(() -> {
      System.gc();
      return waiting.get() == null;
    });
  }

  @Test
  void waitersAreReleasedWhenTheRailConnects() {
    assertForgotten(waiting(added -> added.block(Nodes.PATIENCE)));
  }

  @Test
  void cancelledWaitersAreReleased() {
    assertForgotten(waiting(added -> added.subscribe().dispose()));
  }

  @Test
  void acceptingSideHasNoAddress() {
    StepVerifier.create(toClient.addRail(second))
        .expectErrorSatisfies(e ->
            assertTrue(e.getMessage().contains("change the rails at the peer"), e.getMessage()))
        .verify(Nodes.PATIENCE);
  }

  @Test
  void existingRailIsNotAddedAgain() {
    StepVerifier.create(toServer.addRail(first))
        .expectErrorMessage("peer 'server' has a rail to " + first + " already")
        .verify(Nodes.PATIENCE);
  }

  @Test
  @Tag("FT1")
  void eventsReportALossAndTheRecovery() throws IOException {
    Relay relay = new Relay(Integer.parseInt(first.substring(first.lastIndexOf(':') + 1)));
    try {
      toServer.addRail(relay.address()).block(Nodes.PATIENCE);
      await(() -> available(toServer) == 2);
      relay.cut(0);
      await(() -> happened(Kind.LOST) && available(toServer) == 2 && available(toClient) == 2);

      RailStatus back = rails(toServer).get(1);
      assertEquals(1, back.faults().losses());
      assertFalse(back.faults().lastLoss().isEmpty());
      List<Kind> kinds = events.stream()
          .filter(event -> event.path() == back.path())
          .map(RailEvent::kind)
          .toList();
      assertEquals(List.of(Kind.JOINED, Kind.LOST), kinds.subList(0, 2));
      assertTrue(kinds.contains(Kind.JOINED), kinds::toString);
    } finally {
      relay.close();
    }
  }

  @Test
  @Tag("MR2")
  void policyChangesWithoutLoss() throws Exception {
    toServer.addRail(second).block(Nodes.PATIENCE);
    await(() -> available(toServer) == 2);

    List<Integer> arrived = stream(number -> {
      if (number % (MESSAGES / 8) == 0) {
        boolean turns = number / (MESSAGES / 8) % 2 == 0;
        toServer
            .striping(turns ? StripingPolicy.roundRobin() : StripingPolicy.binding())
            .subscribe();
      }
    });

    assertEquals(numbers(), arrived);
    assertEquals(
        8, events.stream().filter(event -> event.kind() == Kind.POLICY_CHANGED).count());
  }

  @Test
  void railsReportTheirTraffic() throws Exception {
    toServer.addRail(second).block(Nodes.PATIENCE);
    await(() -> available(toServer) == 2);
    assertEquals(numbers(), stream(number -> {}));
    Mono<Void> large =
        toServer.send("large", Codecs.bytes(), Flux.range(0, 8).map(i -> new byte[4 << 20]));
    Mono.when(large, toClient.receive("large", Codecs.bytes())).block(Nodes.PATIENCE);

    List<RailStatus> rails = rails(toServer);
    assertEquals(2, rails.size());
    assertEquals(1.0, rails.stream().mapToDouble(RailStatus::weight).sum(), 1e-9);
    for (RailStatus rail : rails) {
      assertTrue(rail.load().stripes() > 0 && rail.load().bytesPerSecond() > 0, rail::toString);
      assertTrue(rail.load().bytes() > 1 << 20, rail::toString);
      assertFalse(rail.load().answer().isZero(), rail::toString);
    }
  }

  @Test
  void pendingRailDoesNotReplaceAConnectedOne() {
    String nobody = "tcp:127.0.0.3:1";
    Mono<Void> adding = toServer.addRail(nobody).cache();
    adding.subscribe(nothing -> {}, error -> {});
    await(() -> happened(Kind.RETRYING));

    StepVerifier.create(toServer.removeRail(first)).expectError().verify(Nodes.PATIENCE);
    toServer.removeRail(nobody).block(Nodes.PATIENCE);
    StepVerifier.create(adding)
        .expectErrorMessage("rail " + nobody + " was removed before it was connected")
        .verify(Nodes.PATIENCE);
    assertFalse(happened(Kind.PAUSED), events::toString);
  }

  @Test
  void anotherNodeAtAnAddressEndsNoSession() {
    Node other = nodes.start("other", config -> config.fabrics(new TcpFabricProvider()));
    toServer.addRail(other.bind("tcp:127.0.0.1:0").block(Nodes.PATIENCE)).subscribe();
    await(() ->
        events.stream().anyMatch(e -> e.kind() == Kind.RETRYING && e.text().contains("refused")));

    assertEquals(1, available(toServer));
    toServer.send("n", Codecs.int32(), Flux.range(0, 10)).subscribe();
    assertEquals(10, toClient.receive("n", Codecs.int32()).count().block(Nodes.PATIENCE));
  }

  @Test
  void endedSessionHasNoRails() {
    toServer.abort();
    toServer.onClose().block(Nodes.PATIENCE);

    assertEquals(0, available(toServer));
    StepVerifier.create(toServer.railEvents()).expectComplete().verify(Nodes.PATIENCE);
    StepVerifier.create(toServer.addRail(second)).expectError().verify(Nodes.PATIENCE);
  }

  @Test
  void eventsOfAPeerEndWithThePeer() {
    StepVerifier.create(toServer.railEvents())
        .then(() -> toServer.abort())
        .expectComplete()
        .verify(Nodes.PATIENCE);
  }
}
