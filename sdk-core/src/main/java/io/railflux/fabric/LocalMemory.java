package io.railflux.fabric;

import java.nio.ByteBuffer;

/** Memory registered as source or sink of local work requests. Engine thread only. */
public interface LocalMemory extends AutoCloseable {

  /** The registered memory; position and limit are the holder's business. */
  ByteBuffer memory();

  int lengthBytes();

  /** Deregisters; the memory itself stays the caller's. Idempotent. */
  @Override
  void close();
}
