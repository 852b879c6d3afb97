package io.railflux.fabric.shm.files;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Map;
import java.util.Set;

/**
 * The directory of one user, in which all fabrics of that user meet.
 *
 * <pre>
 *   /dev/shm/railflux-1000/                          0700
 *     names.lock                                     held while a name is claimed
 *     orders.sock -> p-4026531836-4711-136204-1/s1   a name and its listener
 *     p-4026531836-4711-136204-1/                    one fabric of process 4711
 *       lock                                         held while the process lives
 *       s1                                           listening socket
 *       l-00c0ffee00c0ffee                           link, until both sides mapped it
 *       r-00c0ffee00c0ffee-c-0123456789abcdef        region, until the peer mapped it
 * </pre>
 */
public final class UserDirectory {

  private static final Set<PosixFilePermission> PRIVATE =
      PosixFilePermissions.fromString("rwx------");
  private static final int EFFECTIVE_UID = 2;

  private final Path path;
  private final UserPrincipal owner;
  private final int ownerId;

  private UserDirectory(Path path, UserPrincipal owner, int ownerId) {
    this.path = path;
    this.owner = owner;
    this.ownerId = ownerId;
  }

  /** Creates the directory if it is missing. Refuses a directory that other users could change. */
  public static UserDirectory open(Path base) throws IOException {
    Path path = base.resolve("railflux-" + uid());
    try {
      Files.createDirectory(path, PosixFilePermissions.asFileAttribute(PRIVATE));
    } catch (FileAlreadyExistsException e) {
      // Verified below like a new one.
    }
    String objection = objection(base);
    if (!objection.isEmpty()) {
      throw new IOException(objection);
    }
    return new UserDirectory(path, Files.getOwner(path, LinkOption.NOFOLLOW_LINKS), uid());
  }

  /** Returns the objection to the directory in {@code base}; empty if it is valid or absent. */
  public static String objection(Path base) throws IOException {
    Path path = base.resolve("railflux-" + uid());
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return "";
    }
    Map<String, Object> found =
        Files.readAttributes(path, "unix:isDirectory,uid,permissions", LinkOption.NOFOLLOW_LINKS);
    if (!Boolean.TRUE.equals(found.get("isDirectory"))) {
      return path + " is not a directory";
    }
    if (!found.get("uid").equals(uid())) {
      return path + " belongs to another user (uid " + found.get("uid") + ")";
    }
    boolean safe = PRIVATE.equals(found.get("permissions"));
    return safe ? "" : path + " is open to other users, its mode should be 0700";
  }

  public Path path() {
    return path;
  }

  /** Returns this user, as the JDK names peers of sockets. */
  public UserPrincipal owner() {
    return owner;
  }

  /** Returns the number of this user. */
  public int ownerId() {
    return ownerId;
  }

  private static int uid() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("Uid:")) {
        return Integer.parseUnsignedInt(line.split("\\s+", -1)[EFFECTIVE_UID]);
      }
    }
    throw new IOException("/proc/self/status contains no Uid");
  }
}
