package io.railflux.fabric.shm;

import io.railflux.buffer.OpenFiles;
import io.railflux.fabric.Availability;
import io.railflux.fabric.shm.files.ProcessIdentity;
import io.railflux.fabric.shm.files.UserDirectory;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import jdk.net.ExtendedSocketOptions;

/**
 * Whether shared memory works on this host. Changes nothing.
 *
 * @param directory directory of the files
 * @param operatingSystem name of the operating system
 * @param byteOrder byte order of the processor
 */
record ShmAvailability(Path directory, String operatingSystem, ByteOrder byteOrder) {

  static final Path DEFAULT_DIRECTORY = Path.of("/dev/shm");

  /** Room for a few peers with their rings. */
  static final long MIN_FREE_BYTES = 16L << 20;

  private static final String ELSEWHERE = "use another fabric that doctor lists as available";

  static ShmAvailability of(Path directory) {
    return new ShmAvailability(
        directory, System.getProperty("os.name", ""), ByteOrder.nativeOrder());
  }

  /** Returns the remedy for a file that could not be created or mapped. */
  static String remedy(Throwable cause, Path directory) {
    if (OpenFiles.areTooMany(cause)) {
      return OpenFiles.SHORTAGE;
    }
    if (String.valueOf(cause.getMessage()).contains("Map failed")) {
      return "raise vm.max_map_count (sysctl) or ulimit -v";
    }
    boolean noDirectMemory = cause.getCause() instanceof OutOfMemoryError;
    return noDirectMemory ? "raise -XX:MaxDirectMemorySize" : roomRemedy(directory);
  }

  /** Returns the remedy for a lack of shared memory. */
  static String roomRemedy(Path directory) {
    return directory.startsWith(DEFAULT_DIRECTORY)
        ? "start the container with --shm-size=1g, enlarge it (mount -o remount,size=1g /dev/shm),"
            + " or name a larger directory with -D" + ShmFabricProvider.DIRECTORY_PROPERTY
        : "make room in " + directory;
  }

  Availability check() {
    if (!"Linux".equals(operatingSystem)) {
      return Availability.no("shared memory needs Linux, this is " + operatingSystem, ELSEWHERE);
    }
    if (byteOrder != ByteOrder.LITTLE_ENDIAN) {
      return Availability.no("shared memory needs a little-endian processor", ELSEWHERE);
    }
    if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
      String trouble = Files.isDirectory(directory) ? " is not writable" : " does not exist";
      return Availability.no(
          directory + trouble,
          "mount a tmpfs there that this user can write, or name another directory with -D"
              + ShmFabricProvider.DIRECTORY_PROPERTY);
    }
    try {
      return checkFiles();
    } catch (IOException e) {
      return Availability.no("cannot examine " + directory + ": " + e.getMessage(), ELSEWHERE);
    }
  }

  private Availability checkFiles() throws IOException {
    FileStore store = Files.getFileStore(directory);
    boolean inMemory = "tmpfs".equals(store.type());
    if (!inMemory && directory.equals(DEFAULT_DIRECTORY)) {
      return Availability.no(
          directory + " is " + store.type() + ", not tmpfs", "mount a tmpfs there");
    }
    long free = store.getUsableSpace();
    if (free < MIN_FREE_BYTES) {
      return Availability.no(
          directory + " has " + mebibytes(free) + " free", roomRemedy(directory));
    }
    String objection = UserDirectory.objection(directory);
    if (!objection.isEmpty()) {
      return Availability.no(
          objection,
          "remove it, or name another directory with -D" + ShmFabricProvider.DIRECTORY_PROPERTY);
    }
    ProcessIdentity.current();
    return checkSockets(mebibytes(free) + " free in " + directory + (inMemory ? "" : " (on disk)"));
  }

  private static Availability checkSockets(String found) throws IOException {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      if (channel.supportedOptions().contains(ExtendedSocketOptions.SO_PEERCRED)) {
        return Availability.yes(found);
      }
    } catch (UnsupportedOperationException e) {
      return Availability.no(
          "this JVM has no Unix-domain sockets", "use another JDK of 17 or later");
    }
    return Availability.no(
        "this JVM cannot identify the user at the other end of a socket",
        "use a JDK with module jdk.net");
  }

  private static String mebibytes(long bytes) {
    return (bytes >> 20) + " MiB";
  }
}
