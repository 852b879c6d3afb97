package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.railflux.engine.TwoEngines.Setting;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.stream.Exchanges;
import io.railflux.engine.stream.PeerFlux;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.ReceivePipeline;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;

/** The limit of concurrent requests of a peer, and the requests that count. */
class RequestLimitTest {

  private static final int LIMIT = 4;
  private static final int REQUESTS = 500;

  private final TwoEngines engines =
      TwoEngines.connected(Setting.of(SimConfig.rdma().withRails(3))
          .with(EngineConfig.Limits.DEFAULT.withMaxExchanges(LIMIT)));

  private int begun;
  private int ended;

  private Flux<Long> request() {
    return request(NumberResponder.NUMBER);
  }

  private Flux<Long> request(Outgoing<Long> outgoing) {
    var route = new Exchanges.RouteKey("one", "number", "number");
    return ReceivePipeline.assemble(
        new PeerFlux.Replies<>(engines.nearChannel.streams(), route, 1L, outgoing),
        frame -> frame.body().getLong());
  }

  /** Sends one of the requests that repeat as soon as they are answered. */
  private void ask() {
    if (begun == REQUESTS) {
      return;
    }
    begun++;
    request()
        .doFinally(signal -> {
          ended++;
          ask();
        })
        .subscribe(number -> assertEquals(1, number));
  }

  /** They are acknowledged only after earlier replies, which are lost. */
  @ParameterizedTest(name = "single: {0}")
  @ValueSource(booleans = {true, false})
  @Tag("FT3")
  void receivedRepliesDoNotCountBeforeTheirAcknowledgement(boolean single) {
    engines.far.engine().respond("one", new NumberResponder(engines.far, single, Flux.just(1L)));
    engines.link(0).blackHoleFrom(engines.far.host());
    engines.near.run(() -> {
      for (int i = 0; i < LIMIT; i++) {
        ask();
      }
    });

    engines.await(() -> ended == REQUESTS || engines.nearChannel.isClosed());

    assertFalse(engines.nearChannel.isClosed(), "the session ended");
    assertEquals(0, engines.nearChannel.streams().exchanges().inFlight());
    engines.awaitQuiet();
    assertEquals(0, engines.farChannel.streams().exchanges().serving());
  }

  @Test
  void cancelledRequestDoesNotCount() {
    engines.far.engine().respond("one", new NumberResponder(engines.far, true, Flux.never()));
    for (int i = 0; i < REQUESTS; i++) {
      Disposable[] asked = new Disposable[1];
      engines.near.run(() -> asked[0] = request().subscribe());
      engines.await(() -> engines.farChannel.streams().exchanges().serving() == 1);
      engines.near.run(() -> asked[0].dispose());
      engines.await(() -> engines.farChannel.streams().exchanges().serving() == 0);
    }

    assertFalse(engines.nearChannel.isClosed(), "the session ended");
  }

  /** Simulates a timeout with a retry, behind a request without either. */
  @Test
  void requestsCancelledBehindAWaitingOneAreNotKept() {
    engines.far.engine().respond("one", new NumberResponder(engines.far, true, Flux.never()));
    for (int i = 0; i <= LIMIT; i++) {
      engines.near.run(() -> request().subscribe());
    }
    for (int i = 0; i < REQUESTS; i++) {
      engines.near.run(() -> request().subscribe().dispose());
      engines.pass(TwoEngines.MILLIS);
    }

    assertEquals(1, engines.nearChannel.streams().exchanges().waiting());
    assertEquals(LIMIT, engines.nearChannel.streams().exchanges().inFlight());
  }

  @ParameterizedTest(name = "{0} B")
  @ValueSource(ints = {Long.BYTES, 300_000})
  void requestCancelledByItsCodecIsNotSent(int bytes) {
    engines.far.engine().respond("one", new NumberResponder(engines.far, true, Flux.just(1L)));
    BaseSubscriber<Long> fickle = new BaseSubscriber<>() {};
    Outgoing<Long> givesUp = new Outgoing<>() {
      @Override
      public int maxBodyBytes(Long value) {
        return bytes;
      }

      @Override
      public void encode(Long value, ByteBuffer body) {
        fickle.cancel();
      }
    };
    engines.near.run(() -> request(givesUp).subscribe(fickle));
    engines.awaitQuiet();

    assertEquals(0, engines.nearChannel.streams().exchanges().inFlight());
    assertEquals(0, engines.near.engine().sourceMemory().outstandingBytes());
    assertEquals(0, engines.farChannel.counters().messagesReceived());
  }
}
