package io.railflux.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

class RequestReplyTest {

  @Test
  void receivesOneReplyAndTheFirstOfManyReplies() {
    assertEquals(
        new RequestReply.Answers(8, List.of(100L, 121L, 144L)),
        RequestReply.run(Addresses.fresh()));
  }

  @Test
  void servesManyRequestsOfASlowSubscriber() {
    try (TwoNodes nodes = TwoNodes.connected(Addresses.fresh())) {
      RequestReply.serve(nodes.server());
      Long total = RequestReply.askMany(nodes.toServer(), Flux.range(0, 5_000).map(i -> "text"))
          .publishOn(Schedulers.parallel(), 16)
          .reduce(0L, Long::sum)
          .block(TwoNodes.PATIENCE);
      assertEquals(20_000L, total);
    }
  }
}
