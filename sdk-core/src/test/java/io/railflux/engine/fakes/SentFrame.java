package io.railflux.engine.fakes;

import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import io.railflux.wire.ReceivedFrame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A frame in the ring of the peer.
 *
 * @param messages number of messages in the frame; 1 for other frames
 * @param body copy of the body; of a batch, the first message and all following bytes
 */
public record SentFrame(
    int type,
    int flags,
    long psn,
    long streamId,
    long streamSeq,
    int messages,
    int lengthBytes,
    ByteBuffer body) {

  static SentFrame of(ReceivedFrame frame) {
    ByteBuffer copy = ByteBuffer.allocate(frame.bodyBytes()).order(ByteOrder.LITTLE_ENDIAN);
    copy.put(frame.body()).flip();
    return new SentFrame(
        frame.type(),
        frame.flags(),
        frame.psn(),
        frame.streamId(),
        frame.streamSeq(),
        frame.messagesLeft(),
        frame.lengthBytes(),
        copy);
  }

  public boolean isLast() {
    return (flags & FrameFlags.LAST) != 0;
  }

  public boolean isUnbounded() {
    return (flags & FrameFlags.UNBOUNDED) != 0;
  }

  /** Returns the name of the type. */
  public String name() {
    return FrameType.name(type);
  }

  @Override
  public String toString() {
    return name() + " " + psn + " of stream " + streamId + " at " + streamSeq;
  }
}
