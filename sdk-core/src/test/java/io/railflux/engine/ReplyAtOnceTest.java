package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.TwoEngines.Setting;
import io.railflux.engine.stream.Exchanges;
import io.railflux.engine.stream.PeerFlux;
import io.railflux.engine.stream.Responder;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.ReceivePipeline;
import io.railflux.wire.ReceivedFrame;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;

/** The only reply to a request, if it is available when the request arrives, is sent without its own stream. */
class ReplyAtOnceTest {

  private static final int REQUESTS = 100;

  private final TwoEngines engines =
      TwoEngines.connected(Setting.of(SimConfig.rdma().withRails(2)));

  /** For replies that could be sent immediately, whether they were. */
  private final List<Boolean> left = new ArrayList<>();

  private final List<Long> replies = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();
  private int completed;

  private PromptResponder responder(Outgoing<Long> outgoing, boolean single) {
    return new PromptResponder(engines, outgoing, single, left);
  }

  private void respond(Responder responder) {
    engines.far.engine().respond("prompt", responder);
  }

  private Mono<Long> request(long number) {
    var route = new Exchanges.RouteKey("prompt", "number", "number");
    return ReceivePipeline.assembleSingle(
        new PeerFlux.Replies<>(
            engines.nearChannel.streams(), route, number, NumberResponder.NUMBER),
        frame -> frame.body().getLong());
  }

  private void ask(long number) {
    engines.near.run(
        () -> request(number).subscribe(replies::add, failures::add, () -> completed++));
  }

  private static Outgoing<Long> taking(int bytes) {
    return taking(bytes, 0);
  }

  private static Outgoing<Long> taking(int bytes, long timeToLiveNanos) {
    return new Outgoing<>() {
      @Override
      public int maxBodyBytes(Long value) {
        return bytes;
      }

      @Override
      public void encode(Long value, ByteBuffer body) {
        body.putLong(value);
      }

      @Override
      public long timeToLiveNanos(Long value) {
        return timeToLiveNanos;
      }
    };
  }

  private void awaitReply(long number) {
    engines.await(() -> completed + failures.size() == 1);
    assertEquals(List.of(), failures);
    assertEquals(List.of(number), replies);
  }

  @Test
  void keepsNoStateForASentReply() {
    List<Integer> served = new ArrayList<>();
    respond(new PromptResponder(engines, NumberResponder.NUMBER, true, left) {
      @Override
      public void onRequest(ReceivedFrame request, Responder.Exchange exchange) {
        super.onRequest(request, exchange);
        served.add(engines.farChannel.streams().exchanges().serving());
      }
    });
    ask(7);

    awaitReply(7);

    assertEquals(List.of(true), left);
    assertEquals(List.of(0), served);
    assertEquals(0, engines.nearChannel.streams().exchanges().inFlight());
  }

  @Test
  @Tag("FT3")
  void eachReplyArrivesOnceAlthoughItsRailDies() {
    respond(responder(NumberResponder.NUMBER, true));
    engines.link(0).blackHoleFrom(engines.far.host());
    for (long number = 0; number < REQUESTS; number++) {
      ask(number);
    }
    engines.await(() -> completed == REQUESTS || engines.nearChannel.isClosed());

    assertFalse(engines.nearChannel.isClosed(), "the session ended");
    Collections.sort(replies);
    assertEquals(LongStream.range(0, REQUESTS).boxed().toList(), replies);
    assertEquals(Collections.nCopies(REQUESTS, true), left);
    assertTrue(engines.farChannel.counters().framesReplayed() > 0, "no reply was lost");
  }

  @Test
  void largeReplyUsesAStream() {
    respond(responder(taking(engines.farChannel.sendPath().eagerLimitBytes() + 1), true));
    ask(7);

    awaitReply(7);
    assertEquals(List.of(false), left);
  }

  @Test
  void replyWithATimeToLiveUsesAStream() {
    respond(responder(taking(Long.BYTES, TwoEngines.MILLIS), true));
    ask(7);

    awaitReply(7);
    assertEquals(List.of(false), left);
  }

  @Test
  void severalRepliesUseAStream() {
    respond(responder(NumberResponder.NUMBER, false));
    ask(7);

    awaitReply(7);
    assertEquals(List.of(false), left);
  }

  @Test
  void replyTakesItsTurnBehindWaitingStreams() {
    Flow flow = engines.flow("numbers").back().send(1).receive(0);
    engines.awaitQuiet();
    respond(new PromptResponder(engines, NumberResponder.NUMBER, true, left) {
      @Override
      public void onRequest(ReceivedFrame request, Responder.Exchange exchange) {
        // As if that frame had just been read.
        flow.out.demand(flow.out.nextSeq() + 1, false);
        super.onRequest(request, exchange);
      }
    });
    ask(7);
    flow.request(1);

    awaitReply(7);
    assertEquals(List.of(false), left);
    engines.await(flow::ended);
    flow.assertReceived(1);
  }

  @Test
  void replyWaitsForTheDemandOfTheRequester() {
    respond(responder(NumberResponder.NUMBER, true));
    BaseSubscriber<Long> hesitant = new BaseSubscriber<>() {
      @Override
      protected void hookOnSubscribe(Subscription s) {
        // Requests later.
      }

      @Override
      protected void hookOnNext(Long number) {
        replies.add(number);
      }

      @Override
      protected void hookOnComplete() {
        completed++;
      }
    };
    engines.near.run(() -> request(7).subscribe(hesitant));
    engines.await(() -> left.size() == 1);
    engines.awaitQuiet();
    assertEquals(List.of(), replies);

    engines.near.run(() -> hesitant.request(1));

    awaitReply(7);
    assertEquals(List.of(false), left);
  }
}
