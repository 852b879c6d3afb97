package io.railflux.fabric.shm.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Mutual exclusion between processes that claim, replace or remove names. Held for microseconds. */
public final class NameLock {

  private static final int MAX_TRIES = 10_000;

  private NameLock() {}

  /** Action under the lock. */
  public interface Action<T> {
    T run() throws IOException;
  }

  /**
   * Gives up instead of waiting for a stopped holder.
   *
   * <p>Also serialised within this process: the lock of the kernel belongs to the process, and closing one of two
   * channels would release it for both.
   */
  public static <T> T hold(UserDirectory user, Action<T> action) throws IOException {
    synchronized (NameLock.class) {
      Path path = user.path().resolve("names.lock");
      try (FileChannel channel = FileChannel.open(
              path,
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
          FileLock lock = take(channel)) {
        if (lock == null) {
          throw new IOException(
              "another process holds " + path + " and makes no progress; is it stopped?");
        }
        return action.run();
      }
    }
  }

  private static FileLock take(FileChannel channel) throws IOException {
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      try {
        FileLock lock = channel.tryLock();
        if (lock != null) {
          return lock;
        }
      } catch (OverlappingFileLockException e) {
        // A copy of this class in another class loader holds the lock.
      }
      Thread.onSpinWait();
    }
    return null;
  }
}
