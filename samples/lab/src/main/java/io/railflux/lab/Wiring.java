package io.railflux.lab;

import io.railflux.message.Headers;
import io.railflux.pipeline.Incoming;
import io.railflux.pipeline.Metadatas;
import io.railflux.pipeline.Outgoing;
import io.railflux.wire.ReceivedFrame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;

/** The codecs of the messages of one flow. */
final class Wiring {

  static final String CODEC = "lab";
  private static final String HEADER = "number";

  private Wiring() {}

  static Outgoing<Payload> outgoing(FlowPlan plan) {
    return new Outgoing<>() {
      @Override
      public int maxBodyBytes(Payload value) {
        // A codec may claim more bytes than it writes.
        return Math.min(value.size() + (int) (value.key() & 63), Math.max(value.size(), limit()));
      }

      private int limit() {
        return plan.content().maxBytes();
      }

      @Override
      public void encode(Payload value, ByteBuffer body) {
        value.write(body);
        scribble(body);
      }

      @Override
      public ByteBuffer metadata(Payload value) {
        return plan.content().headers() ? header(value.number()) : null;
      }

      @Override
      public long timeToLiveNanos(Payload value) {
        return plan.content().timeToLiveNanos();
      }
    };
  }

  /** Overwrites bytes behind the body, as a codec may do. The bytes must not look like a frame. */
  private static void scribble(ByteBuffer body) {
    for (int at = body.position(); at < body.limit(); at++) {
      body.put(at, (byte) 0x55);
    }
  }

  private static ByteBuffer header(long number) {
    byte[] bytes = new byte[Long.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(number);
    return Metadatas.encode(Headers.empty().with(HEADER, bytes), Map.of());
  }

  /** Returns a decoder that verifies a message and returns its number. */
  static Incoming<Long> incoming(Flow flow) {
    return frame -> {
      ByteBuffer body = frame.body();
      long number = Payload.numberOf(body, flow.key, flow.next());
      if (flow.plan.story() == Story.DECODER_THROWS && number == flow.plan.at()) {
        throw new Receiver.ReceiverFailure(flow.name);
      }
      Payload expected = new Payload(flow.key, number, flow.plan.sizeOf(flow.key, number));
      if (!expected.equalTo(body) || !headerIsRight(flow, frame, number)) {
        flow.corrupted(number);
      }
      return number;
    };
  }

  private static boolean headerIsRight(Flow flow, ReceivedFrame frame, long number) {
    if (!flow.plan.content().headers()) {
      return frame.metadataBytes() == 0;
    }
    return Metadatas.decode(frame)
        .headers()
        .get(HEADER)
        .map(bytes -> ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong() == number)
        .orElse(false);
  }
}
