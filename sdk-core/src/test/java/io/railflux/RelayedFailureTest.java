package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.PeerClosedException;
import io.railflux.exceptions.RemoteStreamException;
import io.railflux.message.Codecs;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;

/** Streams that a node relays from another one, whose source fails. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RelayedFailureTest {

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private static Throwable failure(CompletableFuture<?> future) {
    return assertThrows(
            CompletionException.class,
            () -> future.orTimeout(20, TimeUnit.SECONDS).join())
        .getCause();
  }

  /** The failure keeps its class and message over any number of nodes, and names its origin once. */
  @Test
  void aRelayedFailureDoesNotGrow() {
    Nodes.Pair first = nodes.pair();
    Nodes.Pair second = nodes.pair();
    Nodes.Pair third = nodes.pair();
    first
        .toServer()
        .send("a", Codecs.int32(), Flux.error(new IllegalStateException("broken")))
        .subscribe(x -> {}, e -> {});
    second
        .toServer()
        .send("b", Codecs.int32(), first.toClient().receive("a", Codecs.int32()))
        .subscribe(x -> {}, e -> {});
    third
        .toServer()
        .send("c", Codecs.int32(), second.toClient().receive("b", Codecs.int32()))
        .subscribe(x -> {}, e -> {});
    var received = third.toClient().receive("c", Codecs.int32()).then().toFuture();

    var e = assertInstanceOf(RemoteStreamException.class, failure(received));
    assertEquals("java.lang.IllegalStateException", e.remoteClass());
    assertEquals("broken", e.remoteMessage());
    assertTrue(
        e.origin().startsWith("stream 'a' of peer '" + first.client().name() + "'"), e.origin());
    assertTrue(
        e.getMessage().endsWith("java.lang.IllegalStateException: broken; origin: " + e.origin()),
        e.getMessage());
  }

  /** The peer remains: only its source belonged to a node that closed. */
  @Test
  void relayedStreamOfAClosedNodeFailsRegularly() {
    Nodes.Pair pair = nodes.pair();
    var received = pair.toClient().receive("n", Codecs.int32()).then().toFuture();
    pair.toServer()
        .send("n", Codecs.int32(), Flux.error(new PeerClosedException("a third node is closing")))
        .subscribe(x -> {}, e -> {});

    var e = assertInstanceOf(RemoteStreamException.class, failure(received));
    assertEquals("a third node is closing", e.remoteMessage());
  }
}
