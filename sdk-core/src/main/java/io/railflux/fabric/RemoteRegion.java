package io.railflux.fabric;

import java.nio.ByteBuffer;

/** A peer's region as this side may use it. Ends with its endpoint. Engine thread only. */
public interface RemoteRegion {

  long key();

  int lengthBytes();

  /**
   * The peer's memory itself, little-endian, where {@link Capabilities#mapped()} says so: loads and
   * stores here are loads and stores there, with the memory order of the local machine. {@code null}
   * elsewhere. Stays mapped until the endpoint is closed, even after an error, so that unread
   * entries can be replayed from it.
   */
  ByteBuffer mapped();

  /**
   * Gives the region up before its endpoint ends: unmaps it where it was mapped. Nothing may be posted
   * with it nor touched in {@link #mapped()} from now on; what was posted before completes as if
   * nothing had happened. What else was attached by the same key is another region, and stays. The same key
   * may not be attachable again. Idempotent. Does nothing unless a
   * fabric holds something for a region.
   */
  default void close() {}
}
