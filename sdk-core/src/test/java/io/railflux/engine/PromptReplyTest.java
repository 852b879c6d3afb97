package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.engine.TwoEngines.Setting;
import io.railflux.engine.stream.Exchanges;
import io.railflux.engine.stream.PeerFlux;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.pipeline.ReceivePipeline;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** An available reply is sent immediately. */
class PromptReplyTest {

  private final TwoEngines engines = TwoEngines.connected(Setting.of(SimConfig.rdma()));
  /** For each request, the number of replies that were sent when it was answered. */
  private final List<Long> repliesBefore = new ArrayList<>();

  private int replies;

  private void ask() {
    var route = new Exchanges.RouteKey("one", "number", "number");
    ReceivePipeline.assemble(
            new PeerFlux.Replies<>(
                engines.nearChannel.streams(), route, 1L, NumberResponder.NUMBER),
            frame -> frame.body().getLong())
        .subscribe(number -> replies++);
  }

  @Test
  void replyDoesNotWaitForLaterRequests() {
    Flux<Long> answer = Flux.defer(() -> {
      repliesBefore.add(engines.farChannel.counters().messagesSent());
      return Flux.just(1L);
    });
    engines.far.engine().respond("one", new NumberResponder(engines.far, true, answer));

    engines.near.run(() -> {
      ask();
      ask();
      ask();
    });
    engines.await(() -> replies == 3);

    assertEquals(List.of(0L, 1L, 2L), repliesBefore);
  }
}
