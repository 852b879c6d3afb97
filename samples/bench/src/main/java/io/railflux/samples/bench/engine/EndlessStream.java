package io.railflux.samples.bench.engine;

import io.railflux.engine.session.VirtualChannel;
import io.railflux.engine.stream.OutboundStream;
import io.railflux.engine.stream.PeerFlux;
import io.railflux.message.Headers;
import io.railflux.pipeline.DeliverySink;
import io.railflux.pipeline.Incoming;
import io.railflux.pipeline.Metadatas;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.ReceivePipeline;
import io.railflux.pipeline.SendPipeline;
import io.railflux.samples.cli.measure.Payload;
import io.railflux.samples.cli.measure.PayloadCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import reactor.core.publisher.Flux;
import reactor.util.context.Context;

/**
 * An endless stream between two engines, assembled as in the API. The caller controls all progress by running duty
 * cycles.
 */
final class EndlessStream implements AutoCloseable {

  private static final String NAME = "endless";

  private final EnginePair engines = EnginePair.connected();
  private final PayloadCodec codec;
  private final Payload payload = new Payload();
  private final OutboundStream outbound;
  private long number;
  private long touched;
  private long received;

  EndlessStream(int sizeBytes) throws IOException {
    codec = new PayloadCodec(sizeBytes);
    payload.wrap(Payload.fill(sizeBytes), 0, sizeBytes);
    outbound = open(engines.toFar(), NAME, codec.name());
    subscribe();
    engines.stepUntil(() -> received > 0);
  }

  /** Announces the stream. It sends nothing before the far side subscribes. */
  static OutboundStream open(VirtualChannel channel, String name, String codec) {
    ByteBuffer metadata = Metadatas.encode(Headers.empty(), Map.of());
    return channel.streams().open(name, codec, metadata, new IgnoredOutcome(), Context.empty());
  }

  private void subscribe() {
    Flux<Payload> values = Flux.generate(sink -> sink.next(payload.number(number++)));
    SendPipeline.assemble(
            values,
            Outgoing.plain("n", codec),
            engines.near.engine(),
            outbound,
            OutboundStream.PREFETCH)
        .subscribe(outbound);
    PeerFlux.Messages frames =
        new PeerFlux.Messages(engines.toNear().streams(), NAME, codec.name());
    ReceivePipeline.assemble(frames, Incoming.plain(codec)).subscribe(this::onMessage);
  }

  /** Returns the sum of all words read, so that no read is optimized away. */
  long touched() {
    return touched;
  }

  private void onMessage(Payload message) {
    touched ^= Payload.touch(message.buffer(), message.offset(), message.encodedLength());
    received++;
  }

  /** Runs one duty cycle of the sender, which must send {@code expected} messages. */
  void send(int expected) {
    long before = outbound.messages();
    engines.near.step();
    if (outbound.messages() - before != expected) {
      throw new IllegalStateException(outbound.messages() - before + " were sent");
    }
  }

  /** Runs duty cycles of the receiver until it has received all messages. */
  void receive() {
    while (received < outbound.messages()) {
      engines.far.step();
    }
  }

  @Override
  public void close() {
    engines.close();
  }

  /** Ignores acknowledgements. */
  private static final class IgnoredOutcome implements DeliverySink {

    @Override
    public void onAcknowledged(long messages) {
      // Expected.
    }

    @Override
    public void onExpired(long index) {
      throw new IllegalStateException("no message has a time to live");
    }

    @Override
    public void onCompleted() {
      throw new IllegalStateException("the stream never ends");
    }

    @Override
    public void onFailed(Throwable error) {
      // Called when the engines are closed.
    }
  }
}
