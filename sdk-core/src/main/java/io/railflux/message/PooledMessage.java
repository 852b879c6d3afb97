package io.railflux.message;

import io.railflux.buffer.BufferPool;
import io.railflux.buffer.PooledBuffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Objects;

/** A message in memory of a {@link BufferPool}. Made by the receiving pipeline. */
public final class PooledMessage implements Message {

  private static final VarHandle CLOSED;

  static {
    try {
      CLOSED = MethodHandles.lookup().findVarHandle(PooledMessage.class, "closed", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final String stream;
  private final Headers headers;
  private final PooledBuffer buffer;
  private final Runnable onClose;
  private final int lengthBytes;
  private volatile boolean closed;

  private PooledMessage(String stream, Headers headers, PooledBuffer buffer, Runnable onClose) {
    this.stream = Objects.requireNonNull(stream, "stream");
    this.headers = Objects.requireNonNull(headers, "headers");
    this.buffer = buffer;
    this.onClose = Objects.requireNonNull(onClose, "onClose");
    this.lengthBytes = buffer.memory().limit();
  }

  /**
   * Copies an eager payload out of a ring, beyond the budget of {@code pool} if need be. Engine thread.
   *
   * @param stream name of the stream, for error messages
   * @param source the payload from position to limit; not moved, still the caller's afterwards
   * @param onClose runs before the memory goes back, on the thread that closes the message
   * @return the message, owned by the caller
   * @throws IllegalArgumentException when the payload is larger than the pool can ever lend
   */
  public static PooledMessage copyOf(
      String stream, Headers headers, ByteBuffer source, BufferPool pool, Runnable onClose) {
    int length = source.remaining();
    PooledBuffer buffer = pool.acquire(length);
    buffer.memory().put(0, source, source.position(), length);
    return new PooledMessage(stream, headers, buffer, onClose);
  }

  /**
   * Hands over a buffer that already holds the payload, as after a rendezvous. Any thread.
   *
   * @param buffer owned by the message from now on; its memory is the payload from 0 to its limit
   */
  public static PooledMessage owning(String stream, Headers headers, PooledBuffer buffer) {
    return owning(stream, headers, buffer, () -> {});
  }

  /** As the other; {@code onClose} runs before the memory goes back, on the thread that closes it. */
  public static PooledMessage owning(
      String stream, Headers headers, PooledBuffer buffer, Runnable onClose) {
    return new PooledMessage(stream, headers, buffer, onClose);
  }

  @Override
  public ByteBuffer payload() {
    if (closed) {
      throw new IllegalStateException(
          "message of stream '" + stream + "' is closed; use its payload before close()");
    }
    return buffer.memory();
  }

  @Override
  public Headers headers() {
    return headers;
  }

  @Override
  public int lengthBytes() {
    return lengthBytes;
  }

  @Override
  public void close() {
    if (CLOSED.compareAndSet(this, false, true)) {
      onClose.run();
      buffer.release();
    }
  }

  @Override
  public String toString() {
    return "Message[stream=" + stream + ", " + lengthBytes + " bytes, " + headers + "]";
  }
}
