package io.railflux.fabric.shm;

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
 * The directory of one open fabric, with a lock that the kernel lets go when the process ends,
 * however it ends. A process number alone would not do: a killed process keeps its number until its
 * parent looks, and numbers of another container mean nothing here.
 */
final class ProcessDirectory implements AutoCloseable {

  static final String LOCK = "lock";

  private final Path path;
  private final ProcessIdentity identity;
  private final FileChannel lock;
  private int sockets;

  private ProcessDirectory(Path path, ProcessIdentity identity, FileChannel lock) {
    this.path = path;
    this.identity = identity;
    this.lock = lock;
  }

  static ProcessDirectory create(UserDirectory user, ProcessIdentity process) throws IOException {
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

  Path path() {
    return path;
  }

  ProcessIdentity identity() {
    return identity;
  }

  /** A fresh path for a socket; short, for the kernel allows no more than 107 bytes. */
  Path nextSocket() {
    sockets++;
    return path.resolve("s" + sockets);
  }

  /** Removes the directory with whatever is left in it, then lets the lock go. */
  @Override
  public void close() throws IOException {
    try (lock) {
      deleteTree(path);
    }
  }

  /**
   * Deletes a flat directory; what others delete at the same time does not matter. The lock goes last: who finds one
   * that nobody holds goes on where this ended.
   */
  static void deleteTree(Path directory) throws IOException {
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

  /** The lock gets its name once it is held: a lock that can be seen and taken is a dead man's. */
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
