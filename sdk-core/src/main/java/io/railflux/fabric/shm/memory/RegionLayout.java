package io.railflux.fabric.shm.memory;

/**
 * Layout of a region file: a page with the description, then the exposed bytes.
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
public final class RegionLayout {

  public static final long MAGIC = 0x314e_4f49_4745_5246L; // "FREGION1" in memory

  public static final int MAGIC_OFFSET = 0;
  public static final int KEY_OFFSET = 8;
  public static final int LENGTH_OFFSET = 16;
  public static final int ACCESS_OFFSET = 20;
  public static final int REVOKED_OFFSET = 64;
  public static final int DATA_OFFSET = 4096;

  public static final int READ_BIT = 1;
  public static final int WRITE_BIT = 2;

  /** Longest region; file lengths are ints. */
  public static final int MAX_LENGTH_BYTES = Integer.MAX_VALUE - 2 * DATA_OFFSET;

  private RegionLayout() {}

  /** Returns the length of the file in whole pages. */
  public static int fileBytes(int lengthBytes) {
    return (DATA_OFFSET + lengthBytes + DATA_OFFSET - 1) & -DATA_OFFSET;
  }
}
