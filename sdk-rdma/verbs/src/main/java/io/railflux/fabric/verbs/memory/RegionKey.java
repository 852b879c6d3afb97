package io.railflux.fabric.verbs.memory;

import io.railflux.fabric.FabricContext;

/**
 * The key of an exposed region: everything the peer needs to reach it, so that nothing has to be asked
 * or told besides.
 *
 * <pre>
 *   63            32 31             0
 *  +----------------+----------------+
 *  | address        | rkey           |
 *  +----------------+----------------+
 * </pre>
 *
 * The address is not where the memory is: regions are registered under a random one. Its low bits must
 * be those of the memory within its page. What keeps other peers out is the protection domain, of which
 * each endpoint has its own; the random bits are on top of that.
 */
final class RegionKey {

  private RegionKey() {}

  /** Under which address to register memory that begins {@code memoryAddress}. */
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
