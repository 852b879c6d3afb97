package io.railflux.fabric.verbs;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Version of rdma-core, read from the file names of its libraries: {@code libibverbs.so.1.14.44.0} is release 44. The
 * name {@code libibverbs.so.1} guarantees functions, not structures, so only releases with verified headers are
 * supported.
 *
 * @param release major number of rdma-core
 */
record LibraryVersion(String file, int release) {

  /** First release with all functions used here, and last release with verified headers. */
  static final int OLDEST = 28;

  static final int NEWEST = 65;

  static final String REMEDY = "install rdma-core " + OLDEST + " to " + NEWEST
      + ", or a version of Railflux that supports this release";

  private static final Pattern NAME =
      Pattern.compile("(/\\S*/lib(?:ibverbs|rdmacm)\\.so\\.1\\.\\d+\\.(\\d+)\\S*)");

  /**
   * Finds a library loaded into this process.
   *
   * @param maps lines of {@code /proc/self/maps}
   */
  static Optional<LibraryVersion> find(Stream<String> maps, String library) {
    String stem = "/" + library + ".";
    return maps.filter(line -> line.contains(stem))
        .map(NAME::matcher)
        .filter(Matcher::find)
        .map(match -> new LibraryVersion(match.group(1), Integer.parseInt(match.group(2))))
        .findFirst();
  }

  boolean isKnown() {
    return release >= OLDEST && release <= NEWEST;
  }

  @Override
  public String toString() {
    return "rdma-core " + release;
  }
}
