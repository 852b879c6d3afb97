package io.railflux.engine;

import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.SendPipeline;
import io.railflux.wire.ReceivedFrame;
import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;
import reactor.util.context.Context;

/** Takes requests of the route {@code never} and answers none. */
record SilentResponder(DrivenEngine node) implements Responder {

  private static final Outgoing<Long> NOTHING = new Outgoing<>() {
    @Override
    public int maxBodyBytes(Long value) {
      return Long.BYTES;
    }

    @Override
    public void encode(Long value, ByteBuffer body) {
      body.putLong(value);
    }
  };

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
    return true;
  }

  @Override
  public void onRequest(ReceivedFrame request, ServedExchange exchange) {
    OutboundStream stream = exchange.replies("never", new RecordingSink(), Context.empty());
    SendPipeline.assemble(
            Flux.<Long>never(), NOTHING, node.engine(), stream, OutboundStream.PREFETCH)
        .subscribe(stream);
  }
}
