package io.railflux.fabric.shm.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Directory of one open fabric, with a lock that the kernel releases when the process ends for any reason. A process
 * number would not suffice: a killed process keeps its number until its parent reaps it, and numbers of other
 * containers have no meaning here.
 */
public final class ProcessDirectory implements AutoCloseable {

  public static final String LOCK = "lock";

  private final Path path;
  private final ProcessIdentity identity;
  private final FileChannel lock;
  private int sockets;

  private ProcessDirectory(Path path, ProcessIdentity identity, FileChannel lock) {
    this.path = path;
    this.identity = identity;
    this.lock = lock;
  }

  public static ProcessDirectory create(UserDirectory user, ProcessIdentity process)
      throws IOException {
    for (long fabric = 1; ; fabric++) {
      ProcessIdentity identity = process.withFabric(fabric);
      Path path = user.path().resolve(identity.directoryName());
      try {
        Files.createDirectory(
            path,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      } catch (FileAlreadyExistsException e) {
        continue;
      }
      try {
        return new ProcessDirectory(path, identity, lock(path));
      } catch (IOException e) {
        deleteTree(path);
        throw e;
      }
    }
  }

  public Path path() {
    return path;
  }

  public ProcessIdentity identity() {
    return identity;
  }

  /** Returns a new path for a socket, short because the kernel permits at most 107 bytes. */
  public Path nextSocket() {
    sockets++;
    return path.resolve("s" + sockets);
  }

  /** Removes the directory with its content, then releases the lock. */
  @Override
  public void close() throws IOException {
    try (lock) {
      deleteTree(path);
    }
  }

  /**
   * Deletes a flat directory. Concurrent deletions do no harm. The lock is deleted last: a process that finds it
   * unlocked continues the deletion.
   */
  public static void deleteTree(Path directory) throws IOException {
    if (Files.isSymbolicLink(directory)) {
      throw new NotDirectoryException(directory + ", but a link");
    }
    Path lock = directory.resolve(LOCK);
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(directory, file -> !file.equals(lock))) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    } catch (NoSuchFileException e) {
      return;
    }
    Files.deleteIfExists(lock);
    Files.deleteIfExists(directory);
  }

  /** The lock gets its name once it is held: a visible lock that can be taken belonged to a dead process. */
  private static FileChannel lock(Path directory) throws IOException {
    Path unnamed = directory.resolve("lock.new");
    FileChannel channel =
        FileChannel.open(unnamed, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() == null) {
        throw new IOException("cannot lock " + unnamed);
      }
      Files.move(unnamed, directory.resolve(LOCK), StandardCopyOption.ATOMIC_MOVE);
      return channel;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }
}
