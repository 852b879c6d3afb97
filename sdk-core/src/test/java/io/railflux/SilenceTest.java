package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.Flow;
import io.railflux.engine.TwoEngines;
import io.railflux.engine.stream.Exchanges;
import io.railflux.engine.stream.PeerFlux;
import io.railflux.engine.stream.Responder;
import io.railflux.exceptions.DeadlineExceededException;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.message.Codecs;
import io.railflux.pipeline.Outgoing;
import io.railflux.wire.ReceivedFrame;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;

/** What is logged and signalled about streams and requests that the other side does not answer, in virtual time. */
class SilenceTest {

  private static final long SECOND = 1_000 * TwoEngines.MILLIS;

  private final TwoEngines engines = TwoEngines.connected(SimConfig.mapped());
  private final LogLines lines = new LogLines();
  private final List<Throwable> errors = new ArrayList<>();

  @AfterEach
  void restoreLog() {
    lines.close();
  }

  private Disposable request(long patienceNanos) {
    Disposable[] subscription = new Disposable[1];
    engines.near.run(
        () -> subscription[0] = replies(patienceNanos).subscribe(reply -> {}, errors::add));
    engines.await(() -> subscription[0] != null);
    return subscription[0];
  }

  private PeerFlux.Replies<Long> replies(long patienceNanos) {
    return new PeerFlux.Replies<>(
        engines.nearChannel.streams(),
        new Exchanges.RouteKey("oracle", "int64", "int64"),
        1L,
        Outgoing.plain("oracle", Codecs.int64()),
        patienceNanos,
        () -> {});
  }

  private String explained() {
    return engines.nearChannel.explainStreams(0);
  }

  private void serveWithoutAnswer() {
    engines.far.run(() -> engines.far.engine().respond("oracle", new Responder() {
      @Override
      public String requestCodec() {
        return "int64";
      }

      @Override
      public String replyCodec() {
        return "int64";
      }

      @Override
      public boolean single() {
        return true;
      }

      @Override
      public void onRequest(ReceivedFrame frame, Responder.Exchange exchange) {}
    }));
  }

  @Test
  void aStreamWithoutDemandIsLoggedOnceWithWhatThePeerAwaits() {
    engines.flow("tirades").receive();
    engines.pass(2 * SECOND);
    engines.flow("trades").send(10);
    engines.pass(4 * SECOND);
    assertEquals(0, lines.count("stream 'trades'"));
    engines.pass(60 * SECOND);
    assertEquals(1, lines.count("stream 'trades' to ", "has waited 5 s for demand", "'tirades'"));
    assertEquals(1, lines.count("stream 'tirades' of ", "awaited for 5 s", "it offers 'trades'"));
    assertTrue(explained().contains("awaited by the peer"));
  }

  @Test
  void anOfferedStreamIsNotLogged() {
    Flow flow = engines.flow("trades").send(10);
    engines.near.run(() -> flow.out.isOffered());
    engines.pass(60 * SECOND);
    assertEquals(0, lines.count("stream 'trades'"));
  }

  @Test
  void aStreamThatFlowsInTimeIsNotLogged() {
    Flow flow = engines.flow("trades").send(10);
    engines.pass(3 * SECOND);
    flow.receive();
    engines.pass(60 * SECOND);
    assertEquals(0, lines.count("stream 'trades'"));
  }

  @Test
  void aCancelledSubscriptionIsAwaitedNoLonger() {
    Flow flow = engines.flow("tirades").receive();
    engines.pass(2 * SECOND);
    assertTrue(explained().contains("'tirades'"));
    flow.cancel();
    engines.pass(SECOND);
    assertFalse(explained().contains("'tirades'"));
  }

  @Test
  void anUnansweredRequestIsLoggedOnceForItsRoute() {
    serveWithoutAnswer();
    request(0);
    request(0);
    engines.pass(60 * SECOND);
    assertEquals(1, lines.count("request 'oracle' to ", "its handler has not answered"));
    assertEquals(List.of(), errors);
  }

  @Test
  void aRequestFailsAfterItsTimeOutAndIsCancelledAtThePeer() {
    serveWithoutAnswer();
    request(3 * SECOND);
    engines.pass(3 * SECOND - TwoEngines.MILLIS);
    assertEquals(List.of(), errors);
    engines.pass(2 * TwoEngines.MILLIS);
    assertInstanceOf(DeadlineExceededException.class, errors.get(0));
    assertTrue(
        errors.get(0).getMessage().contains("was not answered within 3000 ms"),
        errors.get(0).getMessage());
    assertEquals(0, engines.nearChannel.streams().exchanges().inFlight());
  }

  @Test
  void theTimeOutBeginsWithTheDemandForTheFirstReply() {
    serveWithoutAnswer();
    BaseSubscriber<ReceivedFrame> subscriber = new BaseSubscriber<>() {
      @Override
      protected void hookOnSubscribe(Subscription subscription) {}

      @Override
      protected void hookOnError(Throwable error) {
        errors.add(error);
      }
    };
    engines.near.run(() -> replies(3 * SECOND).subscribe(subscriber));
    engines.pass(60 * SECOND);
    assertEquals(List.of(), errors);
    engines.near.run(() -> subscriber.request(1));
    engines.pass(3 * SECOND - TwoEngines.MILLIS);
    assertEquals(List.of(), errors);
    engines.pass(2 * TwoEngines.MILLIS);
    assertInstanceOf(DeadlineExceededException.class, errors.get(0));
  }

  @Test
  void eachRequestHasItsOwnTimeOut() {
    serveWithoutAnswer();
    request(4 * SECOND);
    engines.pass(SECOND);
    request(5 * SECOND / 2);
    engines.pass(SECOND);
    request(SECOND / 2);
    engines.pass(SECOND);
    assertEquals(1, errors.size());
    engines.pass(3 * SECOND / 4);
    assertEquals(2, errors.size());
    engines.pass(SECOND / 2);
    assertEquals(3, errors.size());
  }

  @Test
  void aCancelledRequestHearsNothing() {
    serveWithoutAnswer();
    Disposable subscription = request(3 * SECOND);
    engines.pass(SECOND);
    engines.near.run(subscription::dispose);
    engines.pass(60 * SECOND);
    assertEquals(List.of(), errors);
    assertEquals(0, lines.count("request 'oracle'"));
  }
}
