package io.railflux.engine.fakes;

import static org.junit.jupiter.api.Assertions.assertNull;

import io.railflux.engine.RingMemory;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import io.railflux.wire.ReceivedFrame;
import io.railflux.wire.RequestBody;
import java.nio.ByteBuffer;

/** Received frames, each in a separate ring. */
public final class ArrivedFrames {

  private static final int RING_BYTES = 512;

  private ArrivedFrames() {}

  public static ReceivedFrame of(int type, int flags, long streamId, long streamSeq) {
    return of(type, flags, streamId, streamSeq, new byte[0]);
  }

  public static ReceivedFrame of(int type, int flags, long streamId, long streamSeq, byte[] body) {
    ByteBuffer ring = RingMemory.of(RING_BYTES);
    FrameHeader.put(ring, 0, 0, streamId, streamSeq);
    ring.put(FrameHeader.BYTES, body);
    ReceivedFrame frame = new ReceivedFrame();
    long word = FrameHeader.word(FrameHeader.BYTES + body.length, type, flags, FrameHeader.BYTES);
    assertNull(frame.read(ring, 0, word, RING_BYTES));
    return frame;
  }

  /** Returns a message that contains a number. */
  public static ReceivedFrame number(int flags, long streamId, long streamSeq, long number) {
    ReceivedFrame frame = of(FrameType.DATA, flags, streamId, streamSeq, new byte[Long.BYTES]);
    frame.buffer().putLong(frame.bodyOffset(), number);
    return frame;
  }

  /** Returns a request that contains a number, with the demand for its replies. */
  public static ReceivedFrame request(
      int flags, long streamId, long routeId, long demand, long number) {
    ReceivedFrame frame = of(
        FrameType.REQUEST,
        flags,
        streamId,
        demand,
        new byte[RequestBody.ROUTE_ID_BYTES + Long.BYTES]);
    RequestBody.putRouteId(frame.buffer(), frame.bodyOffset(), routeId);
    frame.buffer().putLong(frame.bodyOffset() + RequestBody.ROUTE_ID_BYTES, number);
    return frame;
  }
}
