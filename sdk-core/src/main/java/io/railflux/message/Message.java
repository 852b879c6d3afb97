package io.railflux.message;

import java.nio.ByteBuffer;

/**
 * A raw message that owns its memory: it stays valid after {@code onNext} until it is closed, on
 * any thread. Whoever receives it closes it, once it is no longer needed; memory of messages that
 * are never closed counts against the budget of the node and is reported as a leak.
 */
public interface Message extends AutoCloseable {

  /**
   * The payload, little-endian. Every call returns the same buffer, whose position and limit are
   * the reader's to move. It must not be touched after {@link #close()}: its memory then carries
   * another message.
   *
   * @throws IllegalStateException after {@link #close()}
   */
  ByteBuffer payload();

  /** The headers the sender attached; empty when there were none. Valid after close, too. */
  Headers headers();

  /** Length of the payload in bytes. Valid after close, too. */
  int lengthBytes();

  /** Returns the memory. Any thread; further calls do nothing. */
  @Override
  void close();
}
