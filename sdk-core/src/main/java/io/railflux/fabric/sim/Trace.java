package io.railflux.fabric.sim;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;

/** Running hash of all events, and their text for a listener. */
final class Trace {

  private long hash;
  private Consumer<String> listener;

  long hash() {
    return hash;
  }

  void listener(Consumer<String> newListener) {
    listener = newListener;
  }

  void record(long time, EventKind kind, long subject, long detail) {
    mix(time);
    mix(kind.name().hashCode());
    mix(subject);
    mix(detail);
    if (listener != null) {
      listener.accept(time + " " + kind + " #" + subject + " " + Long.toHexString(detail));
    }
  }

  private void mix(long value) {
    hash = SimRandom.mix(hash * 31 + value);
  }

  /** Hashes the content of a request, without its identity, which differs between runs. */
  static long hashOf(Request request) {
    long result = request.isNotification() ? -1 : request.opcode.name().hashCode();
    result = SimRandom.mix(result * 31 + request.lengthBytes);
    return request.payload() == null ? result : result ^ hashOf(request.payload());
  }

  private static long hashOf(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    long result = bytes.length;
    while (buffer.remaining() >= Long.BYTES) {
      result = SimRandom.mix(result * 31 + buffer.getLong());
    }
    while (buffer.hasRemaining()) {
      result = result * 31 + buffer.get();
    }
    return SimRandom.mix(result);
  }
}
