package io.railflux.fabric.shm;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes what processes that ended without saying so left behind. */
final class StaleFiles {

  private static final Logger LOG = LoggerFactory.getLogger(StaleFiles.class);

  private final UserDirectory user;
  private final ProcessIdentity self;

  StaleFiles(UserDirectory user, ProcessIdentity self) {
    this.user = user;
    this.self = self;
  }

  /** Looks at every process. Troubles are logged: leftovers are no reason not to start. */
  void sweep() {
    try {
      NameLock.hold(user, this::removeAllDead);
    } catch (IOException e) {
      LOG.warn("cannot sweep stale files in {}: {}", user.path(), e.getMessage());
    }
  }

  /**
   * Removes the directory and the names of one fabric if its process is dead.
   *
   * @return whether it is gone now
   */
  boolean sweep(ProcessIdentity identity) {
    try {
      return NameLock.hold(user, () -> removeIfDead(identity) && removeDanglingNames());
    } catch (IOException e) {
      LOG.warn("cannot sweep files of process {}: {}", identity.pid(), e.getMessage());
      return false;
    }
  }

  private boolean removeAllDead() throws IOException {
    try (DirectoryStream<Path> directories = Files.newDirectoryStream(user.path(), "p-*")) {
      for (Path directory : directories) {
        ProcessIdentity identity = ProcessIdentity.parse(directory.getFileName().toString());
        if (identity != null) {
          tryToRemove(identity);
        }
      }
    }
    return removeDanglingNames();
  }

  /** One that cannot be removed keeps nobody from removing others. */
  private void tryToRemove(ProcessIdentity identity) {
    try {
      removeIfDead(identity);
    } catch (IOException e) {
      LOG.warn("cannot remove what process {} left: {}", identity.pid(), e.toString());
    }
  }

  private boolean removeIfDead(ProcessIdentity identity) throws IOException {
    // Never even open a lock of this process: closing it again would let the real one go.
    if (identity.sameProcess(self)) {
      return false;
    }
    Path directory = user.path().resolve(identity.directoryName());
    try (FileChannel channel = FileChannel.open(
            directory.resolve(ProcessDirectory.LOCK),
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS);
        FileLock lock = channel.tryLock()) {
      if (lock == null) {
        return false;
      }
      ProcessDirectory.deleteTree(directory);
      return true;
    } catch (NoSuchFileException e) {
      return removeUnlocked(identity, directory);
    }
  }

  /** No lock: gone already, being made, or its maker died making it. */
  private boolean removeUnlocked(ProcessIdentity identity, Path directory) throws IOException {
    if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      return true;
    }
    if (identity.namespace() != self.namespace() || identity.runs()) {
      return false;
    }
    ProcessDirectory.deleteTree(directory);
    return true;
  }

  private boolean removeDanglingNames() throws IOException {
    try (DirectoryStream<Path> names = Files.newDirectoryStream(user.path(), "*.sock")) {
      for (Path name : names) {
        if (Files.isSymbolicLink(name) && !Files.exists(name)) {
          Files.deleteIfExists(name);
        }
      }
    }
    return true;
  }
}
