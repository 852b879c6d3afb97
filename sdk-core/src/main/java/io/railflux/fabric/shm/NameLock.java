package io.railflux.fabric.shm;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Mutual exclusion between processes that claim, replace or sweep names. Held for microseconds. */
final class NameLock {

  private static final int MAX_TRIES = 10_000;

  private NameLock() {}

  /** What to do under the lock. */
  interface Action<T> {
    T run() throws IOException;
  }

  /**
   * Gives up rather than wait for a holder that does not run.
   *
   * <p>Serialised in this process too: the kernel's lock belongs to the process, and closing one of
   * two channels would let it go for both.
   */
  static <T> T hold(UserDirectory user, Action<T> action) throws IOException {
    synchronized (NameLock.class) {
      Path path = user.path().resolve("names.lock");
      try (FileChannel channel = FileChannel.open(
              path,
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
          FileLock lock = take(channel)) {
        if (lock == null) {
          throw new IOException(
              "another process holds " + path + " and does not go on; is it stopped?");
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
        // Another class loader's copy of this class holds it.
      }
      Thread.onSpinWait();
    }
    return null;
  }
}
