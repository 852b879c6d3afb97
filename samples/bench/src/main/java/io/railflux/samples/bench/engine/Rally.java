package io.railflux.samples.bench.engine;

import io.railflux.engine.session.VirtualChannel;
import io.railflux.engine.stream.OutboundStream;
import io.railflux.engine.stream.PeerFlux;
import io.railflux.pipeline.Incoming;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.ReceivePipeline;
import io.railflux.pipeline.SendPipeline;
import io.railflux.samples.cli.measure.Payload;
import io.railflux.samples.cli.measure.PayloadCodec;
import java.io.IOException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/** Two engines that exchange one message. Each one answers in the cycle in which it finds the message. */
final class Rally implements AutoCloseable {

  private final EnginePair engines = EnginePair.connected();
  private final int sizeBytes;
  private final Payload payload = new Payload();
  private long returned;

  Rally(int sizeBytes) throws IOException {
    this.sizeBytes = sizeBytes;
    payload.wrap(Payload.fill(sizeBytes), 0, sizeBytes);
    Sinks.Many<Payload> pings = Sinks.unsafe().many().unicast().onBackpressureBuffer();
    send(engines.near, engines.toFar(), "out", pings.asFlux());
    send(engines.far, engines.toNear(), "back", receive(engines.toNear(), "out").map(this::same));
    receive(engines.toFar(), "back").subscribe(pong -> {
      returned++;
      pings.tryEmitNext(payload.number(pong.number() + 1)).orThrow();
    });
    pings.tryEmitNext(payload.number(0)).orThrow();
    engines.stepUntil(() -> returned > 0);
  }

  private void send(SteppedHost host, VirtualChannel channel, String name, Flux<Payload> values) {
    PayloadCodec codec = new PayloadCodec(sizeBytes);
    OutboundStream outbound = EndlessStream.open(channel, name, codec.name());
    SendPipeline.assemble(
            values, Outgoing.plain("n", codec), host.engine(), outbound, OutboundStream.PREFETCH)
        .subscribe(outbound);
  }

  private Flux<Payload> receive(VirtualChannel channel, String name) {
    PayloadCodec codec = new PayloadCodec(sizeBytes);
    PeerFlux.Messages frames = new PeerFlux.Messages(channel.streams(), name, codec.name());
    return ReceivePipeline.assemble(frames, Incoming.plain(codec));
  }

  private Payload same(Payload message) {
    return payload.number(message.number());
  }

  /** Runs one cycle of each side: a round trip. */
  void play() {
    long before = returned;
    engines.far.step();
    engines.near.step();
    if (returned != before + 1) {
      throw new IllegalStateException(returned - before + " came back");
    }
  }

  /** Runs a cycle of the side that waits for the answer. */
  void await() {
    engines.near.step();
  }

  @Override
  public void close() {
    engines.close();
  }
}
