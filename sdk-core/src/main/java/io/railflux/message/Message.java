package io.railflux.message;

import java.nio.ByteBuffer;

/**
 * A raw message that owns its memory. The payload is readable on any thread, from {@code onNext} until {@link
 * #close()}. An unclosed message stays readable while it or its payload is referenced: neither the end nor the
 * cancellation of the subscription, nor the loss of the peer, invalidates it.
 *
 * <p>A message takes a place in a budget of its node. The first of these events releases the place:
 *
 * <ul>
 * <li>{@link #close()}, which also permits to reuse the memory at once;
 * <li>the cancellation of the subscription. The garbage collector then frees the memory of unclosed messages, and
 * messages in use no longer count against the budget;
 * <li>the garbage collection of an unreferenced message, which is logged as a leak unless the subscription failed.
 * </ul>
 *
 * <p>A message has one owner. Where several subscribers receive the same message, copy its payload before {@code
 * publish()}, {@code share()} and similar operators: no subscriber may close it while another reads it.
 */
public interface Message extends AutoCloseable {

  /**
   * Returns the payload. Every call returns the same buffer; the reader may move its position and limit. The buffer
   * must not be used after {@link #close()}, because its memory then holds another message.
   *
   * @return the payload, little-endian
   * @throws IllegalStateException after {@link #close()}
   */
  ByteBuffer payload();

  /**
   * Returns the headers of the message. Valid after {@link #close()}.
   *
   * @return the headers; empty if the sender set none
   */
  Headers headers();

  /**
   * Returns the length of the payload. Valid after {@link #close()}.
   *
   * @return length in bytes
   */
  int lengthBytes();

  /** Releases memory and budget. Any thread may call it; repeated calls have no effect. */
  @Override
  void close();
}
