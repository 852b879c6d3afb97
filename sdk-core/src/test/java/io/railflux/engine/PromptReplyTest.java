package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.engine.TwoEngines.Setting;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.pipeline.ReceivePipeline;
import io.railflux.wire.ReceivedFrame;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** A reply that is there leaves at once. */
class PromptReplyTest {

  private final TwoEngines engines = TwoEngines.connected(Setting.of(SimConfig.rdma()));
  private final List<Long> repliesBefore = new ArrayList<>();
  private int replies;

  /** Notes for each request how many replies have left before it is handled. */
  private final class Noting implements Responder {

    private final Responder numbers = new NumberResponder(engines.far, true, Flux.just(1L));

    @Override
    public String requestCodec() {
      return numbers.requestCodec();
    }

    @Override
    public String replyCodec() {
      return numbers.replyCodec();
    }

    @Override
    public boolean single() {
      return numbers.single();
    }

    @Override
    public void onRequest(ReceivedFrame request, ServedExchange exchange) {
      repliesBefore.add(engines.farChannel.counters().messagesSent());
      numbers.onRequest(request, exchange);
    }
  }

  private void ask() {
    var route = new Exchanges.RouteKey("one", "number", "number");
    ReceivePipeline.assemble(
            new ReplyFlux<>(engines.nearChannel, route, 1L, NumberResponder.NUMBER),
            frame -> frame.body().getLong())
        .subscribe(number -> replies++);
  }

  @Test
  void itDoesNotWaitForTheRequestsThatAreReadAfterIt() {
    engines.far.engine().respond("one", new Noting());

    engines.near.run(() -> {
      ask();
      ask();
      ask();
    });
    engines.await(() -> replies == 3);

    assertEquals(List.of(0L, 1L, 2L), repliesBefore);
  }
}
