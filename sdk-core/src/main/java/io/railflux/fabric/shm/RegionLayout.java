package io.railflux.fabric.shm;

/**
 * Layout of a region file: a page that describes, then the exposed bytes.
 *
 * <pre>
 *       0  +------------------+-------------------------+------------+-------------+
 *          | magic (8)        | key (8)                 | length (4) | access (4)  |
 *      64  +------------------+-------------------------+------------+-------------+
 *          | revoked (4): 0 valid, 1 the owner withdrew the key                    |
 *    4096  +-----------------------------------------------------------------------+
 *          | exposed bytes, length of them, then up to the next page nothing       |
 *          +-----------------------------------------------------------------------+
 *
 *    access: bit 0 the peer may read, bit 1 the peer may write
 * </pre>
 *
 * <p>The bytes begin on a page, hence on a cache line. Only the owner's process writes the first
 * page; {@code revoked} is alone on its line, which the other side loads before every access.
 */
final class RegionLayout {

  static final long MAGIC = 0x314e_4f49_4745_5246L; // "FREGION1" in memory

  static final int MAGIC_OFFSET = 0;
  static final int KEY_OFFSET = 8;
  static final int LENGTH_OFFSET = 16;
  static final int ACCESS_OFFSET = 20;
  static final int REVOKED_OFFSET = 64;
  static final int DATA_OFFSET = 4096;

  static final int READ_BIT = 1;
  static final int WRITE_BIT = 2;

  /** Longest region: file lengths are ints. */
  static final int MAX_LENGTH_BYTES = Integer.MAX_VALUE - 2 * DATA_OFFSET;

  private RegionLayout() {}

  /** Length of the file for so many exposed bytes: whole pages. */
  static int fileBytes(int lengthBytes) {
    return (DATA_OFFSET + lengthBytes + DATA_OFFSET - 1) & -DATA_OFFSET;
  }
}
