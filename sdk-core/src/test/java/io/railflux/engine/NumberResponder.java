package io.railflux.engine;

import io.railflux.engine.stream.OutboundStream;
import io.railflux.engine.stream.Responder;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.SendPipeline;
import io.railflux.wire.ReceivedFrame;
import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;
import reactor.util.context.Context;

/** Answers each request with the same numbers. */
record NumberResponder(DrivenEngine node, boolean single, Flux<Long> answer) implements Responder {

  static final Outgoing<Long> NUMBER = new Outgoing<>() {
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
  public void onRequest(ReceivedFrame request, Responder.Exchange exchange) {
    OutboundStream stream = exchange.replies("numbers", new RecordingSink(), Context.empty());
    SendPipeline.assemble(answer, NUMBER, node.engine(), stream, OutboundStream.PREFETCH)
        .subscribe(stream);
  }
}
