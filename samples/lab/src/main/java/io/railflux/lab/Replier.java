package io.railflux.lab;

import io.railflux.engine.stream.OutboundStream;
import io.railflux.engine.stream.Responder;
import io.railflux.lab.FlowPlan.SourceKind;
import io.railflux.pipeline.SendPipeline;
import io.railflux.wire.ReceivedFrame;
import io.railflux.wire.RequestBody;
import java.nio.ByteBuffer;
import java.util.Map;
import reactor.util.context.Context;

/** Answers requests with the requested flow, as {@code Serving} of the public API does. */
final class Replier implements Responder {

  private final SimulatedNode node;
  private final Map<Long, Flow> flows;
  private final boolean single;
  private final Journal journal;
  private final SeededRandom random;

  Replier(
      SimulatedNode node,
      Map<Long, Flow> flows,
      boolean single,
      Journal journal,
      SeededRandom random) {
    this.node = node;
    this.flows = flows;
    this.single = single;
    this.journal = journal;
    this.random = random;
  }

  @Override
  public String requestCodec() {
    return Exchanging.requestCodec();
  }

  @Override
  public String replyCodec() {
    return Wiring.CODEC;
  }

  @Override
  public boolean single() {
    return single;
  }

  @Override
  public void onRequest(ReceivedFrame request, Responder.Exchange exchange) {
    ByteBuffer body = request.body();
    body.position(body.position() + RequestBody.ROUTE_ID_BYTES);
    long key = body.getLong();
    Flow flow = flows.get(key);
    if (flow == null || !new Exchanging.Ask(key, body.remaining()).matches(body)) {
      journal.violation("unknown request: " + Long.toHexString(key));
      return;
    }
    flow.served();
    if (isAnswered(flow, exchange)) {
      return;
    }
    OutboundStream stream =
        exchange.replies(single ? Exchanging.SINGLE : Exchanging.MANY, flow, Context.empty());
    SendPipeline.assemble(
            Source.of(flow, node, random.fork()),
            Wiring.outgoing(flow.plan),
            node.engine(),
            stream,
            OutboundStream.PREFETCH)
        .subscribe(stream);
  }

  /**
   * Returns whether the only reply of a synchronous source is available. Such a reply may be sent without a stream.
   */
  private static boolean isAnswered(Flow flow, Responder.Exchange exchange) {
    FlowPlan plan = flow.plan;
    boolean isThere = plan.story() == Story.COMPLETES
        && plan.count() == 1
        && plan.manner().source() == SourceKind.FUSED;
    if (!isThere || !exchange.reply(flow.first(), Wiring.outgoing(plan))) {
      return false;
    }
    flow.left();
    return true;
  }
}
