package io.railflux.fabric.shm.files;

import java.nio.file.Path;

/**
 * Names of the files of one link.
 *
 * <p>The name of a region contains the nonce of the link and the role of its owner beside the key. A key presented
 * through another endpoint, or by its owner, names no file.
 */
public final class RegionNames {

  private RegionNames() {}

  public static Path link(Path directory, long nonce) {
    return directory.resolve("l-" + hex(nonce));
  }

  /**
   * Returns the file of an exposed region.
   *
   * @param directory of the fabric that exposes
   * @param connectingSide whether it is the side that connected
   */
  public static Path region(Path directory, long nonce, boolean connectingSide, long key) {
    return directory.resolve("r-" + hex(nonce) + (connectingSide ? "-c-" : "-a-") + hex(key));
  }

  private static String hex(long value) {
    return String.format("%016x", value);
  }
}
