package io.railflux.fabric.shm;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Where a listener is found: a short name in the user's directory, or the absolute path of a
 * socket.
 */
final class ShmLocation {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  private ShmLocation() {}

  /**
   * @throws IOException when {@code location} is neither
   */
  static Path resolve(UserDirectory user, String location) throws IOException {
    if (NAME.matcher(location).matches()) {
      return user.path().resolve(location + ".sock");
    }
    if (location.startsWith("/")) {
      return absolute(location);
    }
    throw new IOException(
        "'" + location + "' is no shared-memory location: use 1 to 64 of A-Z a-z 0-9 . _ -, "
            + "or the absolute path of a socket");
  }

  private static Path absolute(String location) throws IOException {
    try {
      return Path.of(location).normalize();
    } catch (InvalidPathException e) {
      throw new IOException("'" + location + "' is not a path: " + e.getReason(), e);
    }
  }
}
