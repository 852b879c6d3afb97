package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.exceptions.StreamCancelledException;
import io.railflux.exceptions.StreamRejectedException;
import io.railflux.message.Codec;
import io.railflux.message.Codecs;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Records between two nodes with different versions of the classes. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RecordStreamsTest {

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private Nodes.Pair pair;

  /** The program of the receiver. */
  static final class Old {

    enum State {
      OPEN,
      CLOSED
    }

    record Line(String sku, int quantity) {}

    record Order(long id, Old.State state, List<Old.Line> lines) {}
  }

  /** The program of the sender. */
  static final class New {

    enum State {
      CANCELLED,
      CLOSED,
      OPEN
    }

    record Line(String sku, long quantity) {}

    record Order(long id, New.State state, List<Old.Line> lines) {}

    record Changed(long id, New.State state, List<New.Line> lines) {}
  }

  private static final Codec<Old.Order> OLD = Codecs.record(Old.Order.class);
  private static final Codec<New.Order> NEW = Codecs.record(New.Order.class);

  @BeforeEach
  void connect() {
    pair = nodes.pair();
  }

  private static New.Order order(New.State state) {
    return new New.Order(1, state, List.of(new Old.Line("a", 2)));
  }

  private static <E extends Throwable> E failure(Class<E> type, CompletableFuture<?> future) {
    var e = assertThrows(ExecutionException.class, () -> future.get(10, TimeUnit.SECONDS));
    return type.cast(e.getCause());
  }

  @Test
  void constantsInAnotherOrderArriveByName() throws Exception {
    var received = pair.toClient().receive("orders", OLD).collectList().toFuture();
    Flux<New.Order> orders = Flux.just(order(New.State.OPEN), order(New.State.CLOSED));
    pair.toServer().send("orders", NEW, orders).block(Nodes.PATIENCE);

    assertEquals(
        List.of(Old.State.OPEN, Old.State.CLOSED),
        received.get(10, TimeUnit.SECONDS).stream().map(Old.Order::state).toList());
  }

  @Test
  void unknownConstantEndsItsStreamOnly() {
    var received = pair.toClient().receive("orders", OLD).collectList().toFuture();
    var sent = pair.toServer()
        .send("orders", NEW, Flux.just(order(New.State.CANCELLED)).concatWith(Flux.never()))
        .toFuture();

    String errorText = failure(IllegalArgumentException.class, received).getMessage();
    assertTrue(
        errorText.contains("component 'state' of record " + Old.Order.class.getName()), errorText);
    assertTrue(errorText.contains("no constant 'CANCELLED'"), errorText);
    failure(StreamCancelledException.class, sent);
    constantsStillArrive();
  }

  private void constantsStillArrive() {
    var both = Mono.zip(
        pair.toClient().receive("others", OLD).count(),
        pair.toServer().send("others", NEW, Flux.just(order(New.State.OPEN))).thenReturn(true));
    assertEquals(1, both.block(Nodes.PATIENCE).getT1());
  }

  @Test
  void bothSidesReportAComponentOfAnotherTypeWhenTheStreamOpens() {
    var received = pair.toClient().receive("orders", OLD).collectList().toFuture();
    var sent = pair.toServer()
        .send("orders", Codecs.record(New.Changed.class), Flux.never())
        .toFuture();

    for (CompletableFuture<?> end : List.of(received, sent)) {
      String errorText = failure(StreamRejectedException.class, end).getMessage();
      assertTrue(errorText.contains("component 'lines.quantity' of type long is sent"), errorText);
      assertTrue(errorText.contains("type int is expected"), errorText);
    }
  }

  @Test
  void requestReportsAComponentOfAnotherType() {
    pair.server().respond(new Route<>("r", OLD, Codecs.int32()), order -> Mono.just(1));
    Route<New.Changed, Integer> route =
        new Route<>("r", Codecs.record(New.Changed.class), Codecs.int32());
    var reply = pair.toServer()
        .request(route, new New.Changed(1, New.State.OPEN, List.of()))
        .toFuture();

    String errorText = failure(StreamRejectedException.class, reply).getMessage();
    assertTrue(errorText.contains("component 'lines.quantity' of type long is sent"), errorText);
  }
}
