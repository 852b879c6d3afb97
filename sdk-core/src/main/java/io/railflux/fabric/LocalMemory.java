package io.railflux.fabric;

import java.nio.ByteBuffer;

/** Memory registered as source or sink of local work requests. Engine thread only. */
public interface LocalMemory extends AutoCloseable {

  /**
   * Returns the registered memory.
   *
   * @return the buffer; the holder may move its position and limit
   */
  ByteBuffer memory();

  /**
   * Returns the size of the memory.
   *
   * @return size in bytes
   */
  int lengthBytes();

  /** Ends the registration. The memory stays the property of the caller. Idempotent. */
  @Override
  void close();
}
