package io.railflux.engine;

import io.railflux.engine.stream.Responder;
import io.railflux.pipeline.Outgoing;
import io.railflux.wire.ReceivedFrame;
import io.railflux.wire.RequestBody;
import java.util.List;
import reactor.core.publisher.Flux;

/** Replies with the requested number, immediately if possible. */
class PromptResponder implements Responder {

  private final TwoEngines engines;
  private final Outgoing<Long> outgoing;
  private final boolean single;
  private final List<Boolean> left;

  /**
   * @param left receives, for each reply, whether it was sent immediately
   */
  PromptResponder(TwoEngines engines, Outgoing<Long> outgoing, boolean single, List<Boolean> left) {
    this.engines = engines;
    this.outgoing = outgoing;
    this.single = single;
    this.left = left;
  }

  @Override
  public String requestCodec() {
    return "number";
  }

  @Override
  public String replyCodec() {
    return "number";
  }

  @Override
  public boolean single() {
    return single;
  }

  @Override
  public void onRequest(ReceivedFrame request, Responder.Exchange exchange) {
    var body = request.body();
    long asked = body.getLong(body.position() + RequestBody.ROUTE_ID_BYTES);
    Flux<Long> rest = Flux.just(asked);
    try {
      left.add(exchange.reply(asked, outgoing));
    } catch (RuntimeException e) {
      left.add(false);
      rest = Flux.error(e);
    }
    if (!left.get(left.size() - 1)) {
      new NumberResponder(engines.far, single, rest).onRequest(request, exchange);
    }
  }
}
