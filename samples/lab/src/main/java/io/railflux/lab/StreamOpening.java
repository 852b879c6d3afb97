package io.railflux.lab;

import io.railflux.engine.stream.OutboundStream;
import io.railflux.engine.stream.PeerFlux;
import io.railflux.pipeline.ReceivePipeline;
import io.railflux.pipeline.SendPipeline;
import java.util.concurrent.CancellationException;
import reactor.core.publisher.Flux;
import reactor.util.context.Context;

/** Opens and subscribes to streams as {@code Peer.send} and {@code Peer.receive} do. */
final class StreamOpening {

  private final Side from;
  private final Side to;
  private final SeededRandom random;

  StreamOpening(Side from, Side to, SeededRandom random) {
    this.from = from;
    this.to = to;
    this.random = random;
  }

  /** Schedules both sides of {@code flow}. {@code second}, if present, uses the same name and is refused. */
  void begin(Flow flow, Flow second) {
    FlowPlan.Manner manner = flow.plan.manner();
    boolean secondSends = second != null && second.plan.story() == Story.SECOND_SENDER;
    from.node.laterOnEngine(manner.openDelayNanos(), () -> {
      open(flow);
      if (secondSends) {
        open(second);
      }
    });
    if (flow.plan.story().receives()) {
      Flow alsoReceiving = secondSends ? null : second;
      to.node.laterOnEngine(manner.subscribeDelayNanos(), () -> subscribeBoth(flow, alsoReceiving));
    }
  }

  private void open(Flow flow) {
    if (from.channel.isClosed() || from.channel.isClosing()) {
      return;
    }
    flow.opened();
    OutboundStream stream =
        from.channel.streams().open(flow.name, Wiring.CODEC, null, flow, Context.empty());
    SendPipeline.assemble(
            Source.of(flow, from.node, random.fork()),
            Wiring.outgoing(flow.plan),
            from.node.engine(),
            stream,
            OutboundStream.PREFETCH)
        .subscribe(stream);
    if (flow.plan.story() == Story.SENDER_CANCELS) {
      from.node.laterOnEngine(
          random.micros(0, 2_000), () -> stream.cancel(new CancellationException(flow.name)));
    }
  }

  private void subscribeBoth(Flow flow, Flow second) {
    subscribe(flow);
    if (second != null) {
      subscribe(second);
    }
  }

  private void subscribe(Flow flow) {
    boolean mismatch = flow.plan.story() == Story.CODEC_MISMATCH;
    String codec = mismatch ? "another" : Wiring.CODEC;
    Flux<Long> messages = ReceivePipeline.assemble(
        new PeerFlux.Messages(to.channel.streams(), flow.name, codec), Wiring.incoming(flow));
    messages.subscribe(new Receiver(flow, to.node, random.fork()));
  }
}
