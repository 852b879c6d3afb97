package io.railflux.engine.stream;

import io.railflux.engine.RecordingSink;
import io.railflux.engine.fakes.FakeSession;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.SendPipeline;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;
import java.util.function.LongToIntFunction;
import org.reactivestreams.Publisher;
import reactor.util.context.Context;

/** Sends streams of numbers from one side of a session. */
final class Numbers {

  static final String CODEC = "numbers";

  private Numbers() {}

  /** Opens a stream and subscribes to its source. */
  static OutboundStream open(
      FakeSession session, String name, Publisher<Long> source, RecordingSink sink) {
    return open(session, name, source, sink, outgoing(number -> Long.BYTES));
  }

  static OutboundStream open(
      FakeSession session,
      String name,
      Publisher<Long> source,
      RecordingSink sink,
      Outgoing<Long> outgoing) {
    OutboundStream out = session.streams.open(name, CODEC, null, sink, Context.empty());
    send(session, source, out, outgoing);
    return out;
  }

  static void send(
      FakeSession session, Publisher<Long> source, OutboundStream out, Outgoing<Long> outgoing) {
    SendPipeline.assemble(source, outgoing, session.engine, out, OutboundStream.PREFETCH)
        .subscribe(out);
  }

  static Outgoing<Long> outgoing(LongToIntFunction bytes) {
    return outgoing(bytes, number -> {});
  }

  /** @param onEncoding runs inside the codec */
  static Outgoing<Long> outgoing(LongToIntFunction bytes, LongConsumer onEncoding) {
    return new Outgoing<>() {
      @Override
      public int maxBodyBytes(Long value) {
        return bytes.applyAsInt(value);
      }

      @Override
      public void encode(Long value, ByteBuffer body) {
        body.putLong(value);
        onEncoding.accept(value);
        body.position(body.limit());
      }
    };
  }
}
