package io.railflux.fabric.shm;

import java.nio.file.Path;

/**
 * Names of the files of one link.
 *
 * <p>A region's name holds the nonce of the link and the role of its owner beside the key: a key
 * presented through another endpoint, or by the side that made it, names a file that does not
 * exist.
 */
final class RegionNames {

  private RegionNames() {}

  static Path link(Path directory, long nonce) {
    return directory.resolve("l-" + hex(nonce));
  }

  /**
   * @param directory of the fabric that exposes
   * @param connectingSide whether it is the side that connected
   */
  static Path region(Path directory, long nonce, boolean connectingSide, long key) {
    return directory.resolve("r-" + hex(nonce) + (connectingSide ? "-c-" : "-a-") + hex(key));
  }

  private static String hex(long value) {
    return String.format("%016x", value);
  }
}
