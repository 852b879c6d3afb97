package io.railflux.fabric;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** An exposed region of the peer. Ends with its endpoint. Engine thread only. */
public interface RemoteRegion {

  /**
   * Returns the key of the region.
   *
   * @return key passed to {@link Endpoint#attach}
   */
  long key();

  /**
   * Returns the size of the region.
   *
   * @return size in bytes
   */
  int lengthBytes();

  /**
   * Returns the memory of the peer where {@link Capabilities#mapped()} declares it. Loads and stores act on that
   * memory directly, with the memory order of the machine. The region stays mapped until the endpoint is closed, even
   * after an error, so that unread entries can be replayed.
   *
   * @return the memory, little-endian; null on other fabrics
   */
  @Nullable
  ByteBuffer mapped();

  /**
   * Releases the region before its endpoint ends and unmaps it. Afterwards the caller neither posts requests with the
   * region nor uses {@link #mapped()}; posted requests complete normally. Other regions attached by the same key stay
   * attached. The key may not be attachable again. Idempotent. By default does nothing.
   */
  default void close() {}
}
