package io.railflux.message;

import io.railflux.buffer.BufferPool;
import io.railflux.buffer.LoanAccount;
import io.railflux.buffer.PooledBuffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Objects;

/** A message in memory of a {@link BufferPool}. The receiving pipeline creates it. */
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
  private final int lengthBytes;
  private volatile boolean closed;

  private PooledMessage(String stream, Headers headers, PooledBuffer buffer) {
    this.stream = Objects.requireNonNull(stream, "stream");
    this.headers = Objects.requireNonNull(headers, "headers");
    this.buffer = buffer;
    this.lengthBytes = buffer.memory().limit();
  }

  /**
   * Copies an eager payload out of a ring, beyond the budget of {@code pool} if necessary. Engine thread.
   *
   * @param stream name of the stream, for error messages
   * @param headers headers of the message
   * @param source the payload between position and limit; neither moved nor kept
   * @param pool lends the memory of the copy
   * @param account charged with the memory until the message is closed
   * @return the message, owned by the caller
   * @throws IllegalArgumentException if the payload is larger than the largest buffer of the pool
   */
  @SuppressWarnings("exports") // Only the SDK makes messages.
  public static PooledMessage copyOf(
      String stream, Headers headers, ByteBuffer source, BufferPool pool, LoanAccount account) {
    int length = source.remaining();
    PooledBuffer buffer = pool.acquire(length);
    buffer.memory().put(0, source, source.position(), length);
    return owning(stream, headers, buffer, account);
  }

  /**
   * Creates a message from a buffer that holds the payload, as after a rendezvous. Engine thread.
   *
   * @param stream name of the stream, for error messages
   * @param headers headers of the message
   * @param buffer owned by the message from now on; the payload lies from 0 to the limit of its memory
   * @param account charged with the memory until the message is closed
   * @return the message, owned by the caller
   */
  @SuppressWarnings("exports") // Only the SDK makes messages.
  public static PooledMessage owning(
      String stream, Headers headers, PooledBuffer buffer, LoanAccount account) {
    account.charge(buffer);
    return new PooledMessage(stream, headers, buffer);
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
      buffer.release();
    }
  }

  @Override
  public String toString() {
    return "Message[stream=" + stream + ", " + lengthBytes + " bytes, " + headers + "]";
  }
}
