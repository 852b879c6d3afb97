package io.railflux.fabric.shm.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Location of a listener: a short name in the user's directory, or the absolute path of a socket. */
public final class ShmLocation {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  private static final int MAX_SOCKET_PATH_BYTES = 107;

  private ShmLocation() {}

  /**
   * Returns the path of the name.
   *
   * @throws IOException if the location is neither, or too long
   */
  public static Path resolve(UserDirectory user, String location) throws IOException {
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

  /** Returns a path that the kernel accepts for a socket. */
  public static Path fitting(Path socket) throws IOException {
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
