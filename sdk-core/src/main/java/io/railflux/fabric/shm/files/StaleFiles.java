package io.railflux.fabric.shm.files;

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

/** Removes files of dead processes. */
public final class StaleFiles {

  private static final Logger LOG = LoggerFactory.getLogger(StaleFiles.class);

  private final UserDirectory user;
  private final ProcessIdentity self;

  public StaleFiles(UserDirectory user, ProcessIdentity self) {
    this.user = user;
    this.self = self;
  }

  /** Examines every process. Failures are logged and do not prevent the start. */
  public void sweep() {
    try {
      NameLock.hold(user, this::removeAllDead);
    } catch (IOException e) {
      LOG.warn("cannot sweep stale files in {}: {}", user.path(), e.getMessage());
    }
  }

  /**
   * Removes the directory and the names of one fabric if its process is dead.
   *
   * @return whether they are gone
   */
  public boolean sweep(ProcessIdentity identity) {
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

  /** A failure does not prevent the removal of others. */
  private void tryToRemove(ProcessIdentity identity) {
    try {
      removeIfDead(identity);
    } catch (IOException e) {
      LOG.warn("cannot remove files of process {}: {}", identity.pid(), e.toString());
    }
  }

  private boolean removeIfDead(ProcessIdentity identity) throws IOException {
    // Opening and closing a lock of this process would release the real one.
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

  /** Without a lock the directory is gone, in creation, or its creator died. */
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
