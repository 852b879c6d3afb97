package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.DeliveryUnknownException;
import io.railflux.exceptions.PeerClosedException;
import io.railflux.exceptions.PeerUnreachableException;
import io.railflux.message.Codecs;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

/** Two processes over shared memory, of which one is killed, stopped, terminated or restarted. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class TwoProcessTest {

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private Node node;
  private String address;
  private Child child;
  private Peer peer;

  /** More messages than both sides can hold: the peer acknowledged some of them. */
  private static final int MORE_THAN_IN_FLIGHT = 1_000_000;

  private final AtomicLong received = new AtomicLong();
  private final AtomicLong sent = new AtomicLong();
  private CompletableFuture<Void> down;
  private CompletableFuture<Void> up;

  @AfterEach
  void endChild() {
    child.close();
    // A killed process cannot clean up. The next started node removes its files.
    nodes.start("cleaner");
  }

  /**
   * @param mode mode of the child: {@code bind} or {@code connect}
   */
  private void meet(String mode) throws Exception {
    node = nodes.start("parent");
    address = nodes.newAddress();
    if (mode.equals("bind")) {
      child = new Child(leaks.directory(), address, mode);
      child.expect("ready");
      peer = node.connect(address).block(Nodes.PATIENCE);
    } else {
      node.bind(address).block(Nodes.PATIENCE);
      child = new Child(leaks.directory(), address, mode);
      child.expect("ready");
      peer = node.peers().blockFirst(Nodes.PATIENCE);
    }
  }

  private static Flux<Long> endless() {
    return Flux.generate(() -> 0L, (n, sink) -> {
      sink.next(n);
      return n + 1;
    });
  }

  private void streamBothWays() {
    down = peer.receive("down", Codecs.int64())
        .doOnNext(n -> assertEquals(received.getAndIncrement(), n))
        .then()
        .toFuture();
    up = peer.send("up", Codecs.int64(), endless().doOnNext(sent::set)).toFuture();
    await()
        .atMost(Nodes.PATIENCE)
        .until(() -> received.get() > 10_000 && sent.get() > MORE_THAN_IN_FLIGHT);
  }

  private static Throwable failure(CompletableFuture<?> future) {
    return assertThrows(
            CompletionException.class,
            () -> future.orTimeout(30, TimeUnit.SECONDS).join())
        .getCause();
  }

  @ParameterizedTest
  @ValueSource(strings = {"bind", "connect"})
  void streamsArriveCompletelyAndInOrder(String mode) throws Exception {
    meet(mode);
    int count = 300_000;
    long sum = 0;
    for (long i = 0; i < count; i++) {
      sum = ChildNode.checksum(sum, i);
    }
    peer.send("up", Codecs.int64(), endless().take(count)).block(Nodes.PATIENCE);
    assertEquals("up complete " + count + " " + sum, child.expect("up"));

    AtomicLong got = new AtomicLong();
    peer.receive("down", Codecs.int64())
        .take(count)
        .doOnNext(n -> assertEquals(got.getAndIncrement(), n))
        .blockLast(Nodes.PATIENCE);
    assertEquals(count, got.get());
    assertTrue(child.expect("down failed").startsWith("down failed StreamCancelledException"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bind", "connect"})
  void survivorDetectsAKill(String mode) throws Exception {
    meet(mode);
    streamBothWays();
    child.kill();

    var sending = assertInstanceOf(DeliveryUnknownException.class, failure(up));
    assertTrue(sending.acknowledgedCount() > 0);
    assertInstanceOf(PeerUnreachableException.class, failure(down));
    peer.onClose().block(Nodes.PATIENCE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bind", "connect"})
  void stoppedProcessPausesItsStreamsWithoutLoss(String mode) throws Exception {
    meet(mode);
    streamBothWays();
    child.signal("STOP");
    long[] seen = {-1};
    // Longer than the detection bound. A silent process that exists is not dead.
    await()
        .pollInterval(Duration.ofMillis(1500))
        .until(() -> seen[0] == (seen[0] = received.get()));
    assertTrue(!up.isDone() && !down.isDone());
    child.signal("CONT");

    await().atMost(Nodes.PATIENCE).until(() -> received.get() > seen[0] + 10_000);
    assertTrue(!up.isDone() && !down.isDone());
    node.close().block(Nodes.PATIENCE);
    String line = child.expect("up failed");
    assertTrue(line.startsWith("up failed"), line);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bind", "connect"})
  void terminatedProcessDrains(String mode) throws Exception {
    meet(mode);
    streamBothWays();
    child.signal("TERM");

    failure(up);
    assertInstanceOf(PeerClosedException.class, failure(down));
    assertTrue(child.ended());
    String[] words = child.expect("down failed").split(" ", -1);
    assertEquals("PeerClosedException", words[2]);
    assertEquals(Long.parseLong(words[3]), received.get(), "all accepted messages were delivered");
  }

  @Test
  void restartedProcessIsANewPeer() throws Exception {
    meet("bind");
    streamBothWays();
    child.kill();
    child = new Child(leaks.directory(), address, "bind");
    child.expect("ready");

    assertInstanceOf(DeliveryUnknownException.class, failure(up));
    assertInstanceOf(PeerUnreachableException.class, failure(down));
    peer = node.connect(address).block(Nodes.PATIENCE);
    received.set(0);
    streamBothWays();
  }

  @Test
  void killsAreDetectedAndLeaveNothing() throws Exception {
    meet("bind");
    for (int round = 0; round < 3; round++) {
      received.set(0);
      streamBothWays();
      child.kill();
      failure(up);
      failure(down);
      child = new Child(leaks.directory(), address, "bind");
      child.expect("ready");
      peer = node.connect(address).block(Nodes.PATIENCE);
    }
  }
}
