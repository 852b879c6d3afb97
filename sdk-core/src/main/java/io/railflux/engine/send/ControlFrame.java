package io.railflux.engine.send;

import io.railflux.wire.ErrorFrame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;

/** A sequenced frame that carries no message: its content and the owner of its acknowledgement. */
public final class ControlFrame {

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  final int type;
  final int flags;
  final long streamId;
  final long streamSeq;
  private FrameOwner owner;
  private ByteBuffer body = NOTHING;
  private ByteBuffer metadata;
  private long timeToLiveNanos;

  public ControlFrame(int type, int flags, long streamId, long streamSeq) {
    this.type = type;
    this.flags = flags;
    this.streamId = streamId;
    this.streamSeq = streamSeq;
  }

  public ControlFrame ownedBy(FrameOwner stream) {
    owner = stream;
    return this;
  }

  public ControlFrame body(int encodedBytes, Consumer<ByteBuffer> encoder) {
    body = ByteBuffer.allocate(encodedBytes).order(ByteOrder.LITTLE_ENDIAN);
    encoder.accept(body);
    body.flip();
    return this;
  }

  public ControlFrame body(ErrorFrame error) {
    return body(error.encodedBytes(), error::encode);
  }

  public ControlFrame metadata(ByteBuffer encoded) {
    metadata = encoded;
    return this;
  }

  /** Lifetime of the announced message in nanoseconds; 0 without bound. */
  public ControlFrame timeToLive(long nanos) {
    timeToLiveNanos = nanos;
    return this;
  }

  long timeToLiveNanos() {
    return timeToLiveNanos;
  }

  FrameOwner owner() {
    return owner;
  }

  public ByteBuffer body() {
    return body;
  }

  /** Encoded metadata, or null. */
  public ByteBuffer metadata() {
    return metadata;
  }
}
