package io.railflux.fabric.verbs.memory;

import io.railflux.fabric.FabricContext;

/**
 * The key of an exposed region. It contains everything that the peer needs to access the region.
 *
 * <pre>
 *   63            32 31             0
 *  +----------------+----------------+
 *  | address        | rkey           |
 *  +----------------+----------------+
 * </pre>
 *
 * The address is not the address of the memory, because regions are registered under a random address. Only its low
 * bits equal the offset of the memory within its page. Each endpoint has a protection domain of its own, which
 * excludes other peers; the random bits are an additional protection.
 */
final class RegionKey {

  private RegionKey() {}

  /** Returns the address under which to register memory that begins at {@code memoryAddress}. */
  static long randomAddress(FabricContext context, long memoryAddress, int pageBytes) {
    long random = context.randomLong() >>> 32;
    long withinPage = pageBytes - 1L;
    return (random & ~withinPage) | (memoryAddress & withinPage);
  }

  static long of(long address, int rkey) {
    return address << 32 | Integer.toUnsignedLong(rkey);
  }

  static long address(long key) {
    return key >>> 32;
  }

  static int rkey(long key) {
    return (int) key;
  }
}
