package io.railflux.fabric.disni.memory;

/**
 * Key of an exposed region: address and key of the card in 64 bits.
 *
 * <pre>
 * 63        62                  32 31                   0
 * +---------+----------------------+----------------------+
 * | 0       | address / 65536      | rkey                 |
 * +---------+----------------------+----------------------+
 * </pre>
 *
 * <p>Regions begin at multiples of 64 KiB; addresses of processes have at most 47 bits. The card chooses the rkey,
 * and accepts it only through the queue pair of its protection domain.
 */
final class DisniRegionKey {

  static final int ALIGNMENT = 1 << 16;

  private static final int ALIGNMENT_BITS = 16;
  private static final int KEY_BITS = 32;
  private static final long MAX_ADDRESS = (1L << 47) - 1;

  private DisniRegionKey() {}

  static long of(long address, int remoteKey) {
    if ((address & (ALIGNMENT - 1)) != 0 || address < 0 || address > MAX_ADDRESS) {
      throw new IllegalArgumentException("no key for a region at " + Long.toHexString(address));
    }
    return address >>> ALIGNMENT_BITS << KEY_BITS | Integer.toUnsignedLong(remoteKey);
  }

  static long address(long key) {
    return key >>> KEY_BITS << ALIGNMENT_BITS;
  }

  static int remoteKey(long key) {
    return (int) key;
  }
}
