package io.railflux.fabric;

import java.nio.ByteBuffer;

/**
 * Local memory that one peer may access through one endpoint. It is also {@link LocalMemory} of the fabric, and ends
 * with its endpoint at the latest. The memory belongs to the fabric, or to the caller of {@link
 * Endpoint#expose(ByteBuffer, Access)}.
 */
public interface ExposedRegion extends LocalMemory {

  /**
   * Returns the key that the peer passes to {@link Endpoint#attach}.
   *
   * @return random number without meaning for other peers
   */
  long key();

  /** {@inheritDoc} Little-endian; invalid after {@link #close()}. Memory of the fabric is initially zero. */
  @Override
  ByteBuffer memory();

  /** Revokes the key, so that accesses of the peer fail, and releases memory of the fabric. */
  @Override
  void close();
}
