package io.railflux.fabric.shm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Where a listener is found: a short name in the user's directory, or the absolute path of a
 * socket.
 */
final class ShmLocation {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  private static final int MAX_SOCKET_PATH_BYTES = 107;

  private ShmLocation() {}

  /**
   * Where the name of {@code location} is in the file system.
   *
   * @throws IOException when it is neither, or too long
   */
  static Path resolve(UserDirectory user, String location) throws IOException {
    if (NAME.matcher(location).matches()) {
      return fitting(user.path().resolve(location + ".sock"));
    }
    if (location.startsWith("/")) {
      return fitting(absolute(location));
    }
    throw new IOException("'" + location
        + "' is no shared-memory location: use 1 to 64 of A-Z a-z 0-9 . _ -, "
        + "or the absolute path of a socket");
  }

  /** Returns a path that the kernel accepts as that of a socket. */
  static Path fitting(Path socket) throws IOException {
    int bytes = socket.toString().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_SOCKET_PATH_BYTES) {
      throw new IOException("the path of the socket " + socket + " has " + bytes
          + " bytes, the kernel takes " + MAX_SOCKET_PATH_BYTES
          + "; use a shorter name or directory");
    }
    return socket;
  }

  private static Path absolute(String location) throws IOException {
    try {
      return Path.of(location).normalize();
    } catch (InvalidPathException e) {
      throw new IOException("'" + location + "' is not a path: " + e.getReason(), e);
    }
  }
}
