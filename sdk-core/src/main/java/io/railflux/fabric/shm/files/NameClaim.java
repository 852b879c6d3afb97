package io.railflux.fabric.shm.files;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * A name is a symbolic link to a socket in the directory of the listening fabric. It identifies its holder, is
 * created in one step, and dangles once the directory of the holder is removed.
 */
public final class NameClaim {

  private final UserDirectory user;
  private final Path name;
  private final Path target;

  private NameClaim(UserDirectory user, Path name, Path target) {
    this.user = user;
    this.name = name;
    this.target = target;
  }

  /**
   * Claims {@code name} for a listening socket.
   *
   * @throws IOException if a live process holds the name, or another file is in its place
   */
  public static NameClaim take(UserDirectory user, Path name, Path socket) throws IOException {
    boolean sameDirectory = user.path().equals(name.getParent());
    // Relative where possible, so that the directory may be mounted elsewhere in a container.
    Path target = sameDirectory ? user.path().relativize(socket) : socket;
    return NameLock.hold(user, () -> {
      if (Files.exists(name, LinkOption.NOFOLLOW_LINKS)) {
        removeStale(name);
      }
      Files.createSymbolicLink(name, target);
      return new NameClaim(user, name, target);
    });
  }

  /** Releases the name, unless another process has replaced it. */
  public void release() throws IOException {
    NameLock.hold(user, () -> {
      boolean ours = Files.isSymbolicLink(name) && target.equals(Files.readSymbolicLink(name));
      return ours && Files.deleteIfExists(name);
    });
  }

  private static void removeStale(Path name) throws IOException {
    ProcessIdentity holder = holder(name);
    if (holder == null) {
      throw new IOException(name + " exists and is not a name of a shared-memory listener");
    }
    if (answers(name)) {
      throw new IOException("name " + name + " is taken by process " + holder.pid());
    }
    Files.deleteIfExists(name);
  }

  private static ProcessIdentity holder(Path name) throws IOException {
    if (!Files.isSymbolicLink(name)) {
      return null;
    }
    Path directory = Files.readSymbolicLink(name).getParent();
    // The root itself has no name.
    return directory == null || directory.getFileName() == null
        ? null
        : ProcessIdentity.parse(directory.getFileName().toString());
  }

  /** Only a refused connection or a missing socket proves that no process listens. */
  private static boolean answers(Path name) throws IOException {
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      probe.configureBlocking(false);
      probe.connect(UnixDomainSocketAddress.of(name));
      return true;
    } catch (ConnectException e) {
      return false;
    } catch (IOException e) {
      return Files.exists(name);
    }
  }
}
