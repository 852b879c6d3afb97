package io.railflux.fabric;

import java.nio.ByteBuffer;

/**
 * Local memory that one peer may access through one endpoint. Usable as {@link LocalMemory} of that
 * fabric too. Ends with its endpoint at the latest. The memory is the fabric's own, or the caller's when
 * {@link Endpoint#expose(ByteBuffer, Access)} made the region.
 */
public interface ExposedRegion extends LocalMemory {

  /** Tell it to the peer for {@link Endpoint#attach}. Random; meaningless to other peers. */
  long key();

  /**
   * {@inheritDoc} Little-endian; invalid after {@link #close()}. The fabric's own memory is zeroed at
   * first.
   */
  @Override
  ByteBuffer memory();

  /**
   * Revokes the key and releases the memory, unless that is the caller's. Accesses of the peer fail
   * from then on.
   */
  @Override
  void close();
}
