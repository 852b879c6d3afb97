package io.railflux.message;

import java.nio.ByteBuffer;

/** A record with a fixed layout. */
final class RecordCodec<R extends Record> extends FixedCodec<R> {

  RecordCodec(Class<R> type) {
    super("record:" + type.getSimpleName(), 0);
  }

  @Override
  public void encode(R value, ByteBuffer slot) {
    throw new UnsupportedOperationException("not yet");
  }

  @Override
  R read(ByteBuffer slot) {
    throw new UnsupportedOperationException("not yet");
  }
}
