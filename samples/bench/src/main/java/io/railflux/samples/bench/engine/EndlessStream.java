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
 * A stream between two engines that never ends, assembled as the API does it: what moves is decided by
 * whose duty cycle is run.
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

  /** Announces it; nothing is sent before somebody subscribes over there. */
  static OutboundStream open(VirtualChannel channel, String name, String codec) {
    ByteBuffer metadata = Metadatas.encode(Headers.empty(), Map.of());
    return channel.streams().open(name, codec, metadata, new Unheard(), Context.empty());
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

  /** Of all that was read: nothing of it may be optimized away. */
  long touched() {
    return touched;
  }

  private void onMessage(Payload message) {
    touched ^= Payload.touch(message.buffer(), message.offset(), message.encodedLength());
    received++;
  }

  /** One duty cycle of the sender, which should send so many messages. */
  void send(int expected) {
    long before = outbound.messages();
    engines.near.step();
    if (outbound.messages() - before != expected) {
      throw new IllegalStateException(outbound.messages() - before + " were sent");
    }
  }

  /** Duty cycles of the receiver until it has all. */
  void receive() {
    while (received < outbound.messages()) {
      engines.far.step();
    }
  }

  @Override
  public void close() {
    engines.close();
  }

  /** Nobody waits for acknowledgements. */
  private static final class Unheard implements DeliverySink {

    @Override
    public void onAcknowledged(long messages) {
      // That is what should happen.
    }

    @Override
    public void onExpired(long index) {
      throw new IllegalStateException("no message has a time to live");
    }

    @Override
    public void onCompleted() {
      throw new IllegalStateException("it never ends");
    }

    @Override
    public void onFailed(Throwable error) {
      // When the engines are closed.
    }
  }
}
