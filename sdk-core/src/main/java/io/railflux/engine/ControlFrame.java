package io.railflux.engine;

import io.railflux.wire.ErrorFrame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;

/** A sequenced frame that is no message: what it says and whom its acknowledgement concerns. */
final class ControlFrame {

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  final int type;
  final int flags;
  final long streamId;
  final long streamSeq;
  private OutboundStream owner;
  private ByteBuffer body = NOTHING;
  private ByteBuffer metadata;
  private long timeToLiveNanos;

  ControlFrame(int type, int flags, long streamId, long streamSeq) {
    this.type = type;
    this.flags = flags;
    this.streamId = streamId;
    this.streamSeq = streamSeq;
  }

  ControlFrame ownedBy(OutboundStream stream) {
    owner = stream;
    return this;
  }

  ControlFrame body(int encodedBytes, Consumer<ByteBuffer> encoder) {
    body = ByteBuffer.allocate(encodedBytes).order(ByteOrder.LITTLE_ENDIAN);
    encoder.accept(body);
    body.flip();
    return this;
  }

  ControlFrame body(ErrorFrame error) {
    return body(error.encodedBytes(), error::encode);
  }

  ControlFrame metadata(ByteBuffer encoded) {
    metadata = encoded;
    return this;
  }

  /** Nanoseconds what it announces may live; 0 without bound. */
  ControlFrame timeToLive(long nanos) {
    timeToLiveNanos = nanos;
    return this;
  }

  long timeToLiveNanos() {
    return timeToLiveNanos;
  }

  OutboundStream owner() {
    return owner;
  }

  ByteBuffer body() {
    return body;
  }

  /** Encoded metadata or null. */
  ByteBuffer metadata() {
    return metadata;
  }
}
