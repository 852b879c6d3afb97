package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.railflux.message.Codecs;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.blockhound.BlockingOperationError;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Blocking calls of subscribers on the engine thread are detected. The engine itself never blocks. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class BlockingCallTest {

  private static final Route<Integer, Integer> ECHO =
      new Route<>("echo", Codecs.int32(), Codecs.int32());

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private Nodes.Pair pair;

  @BeforeEach
  void connect() {
    pair = nodes.pair();
  }

  private static void block() {
    try {
      new CountDownLatch(1).await(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static Throwable failure(CompletableFuture<?> future) {
    return assertThrows(
            CompletionException.class,
            () -> future.orTimeout(20, TimeUnit.SECONDS).join())
        .getCause();
  }

  @Test
  void blockingSubscriberFailsItsStream() {
    var received = pair.toClient()
        .receive("n", Codecs.int32())
        .doOnNext(n -> block())
        .then()
        .toFuture();
    pair.toServer().send("n", Codecs.int32(), Flux.just(1)).subscribe(x -> {}, e -> {});

    assertInstanceOf(BlockingOperationError.class, failure(received));
  }

  @Test
  void blockingPublisherFailsItsStream() {
    pair.toClient().receive("n", Codecs.int32()).subscribe(x -> {}, e -> {});
    var sent = pair.toServer()
        .send("n", Codecs.int32(), Flux.range(0, 3).doOnNext(n -> block()))
        .toFuture();

    assertInstanceOf(BlockingOperationError.class, failure(sent));
  }

  @Test
  void detectsABlockingWaitForAReplyInAHandler() {
    pair.server().respond(ECHO, n -> {
      pair.toClient().request(ECHO, n).block();
      return Mono.just(n);
    });
    var reply = pair.toServer().request(ECHO, 1).toFuture();

    failure(reply);
  }

  @Test
  void engineDoesNotBlock() {
    pair.server().respond(ECHO, Mono::just);
    var both = Mono.zip(
        pair.toClient().receive("n", Codecs.int32()).collectList(),
        pair.toServer().send("n", Codecs.int32(), Flux.range(0, 1000)).thenReturn(true));
    assertEquals(1000, both.block(Nodes.PATIENCE).getT1().size());
    assertEquals(7, pair.toServer().request(ECHO, 7).block(Nodes.PATIENCE));
    var messages = Mono.zip(
        pair.toClient()
            .receiveMessages("m")
            .doOnNext(message -> message.close())
            .count(),
        pair.toServer().send("m", Codecs.bytes(), Flux.just(new byte[5])).thenReturn(true));
    assertEquals(1L, messages.block(Nodes.PATIENCE).getT1());
    pair.server().close().block(Nodes.PATIENCE);
    assertEquals(List.of(), pair.server().peers().collectList().block(Nodes.PATIENCE));
  }
}
