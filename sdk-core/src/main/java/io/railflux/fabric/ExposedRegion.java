package io.railflux.fabric;

import java.nio.ByteBuffer;

/**
 * Local memory that one peer may access through one endpoint. Usable as {@link LocalMemory} of that
 * fabric too. Ends with its endpoint at the latest.
 */
public interface ExposedRegion extends LocalMemory {

  /** Tell it to the peer for {@link Endpoint#attach}. Random; meaningless to other peers. */
  long key();

  /** {@inheritDoc} Little-endian, zeroed at first; invalid after {@link #close()}. */
  @Override
  ByteBuffer memory();

  /** Revokes the key and releases the memory. Accesses of the peer fail from then on. */
  @Override
  void close();
}
