package io.railflux.samples.cli.measure;

import io.railflux.samples.cli.shell.CommandFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** The mapped file of two bare rings, one per direction. The creator zeroes it. */
public final class RawFile {

  private static final long ALIGNMENT = 4096;

  private RawFile() {}

  /** Two rings over one file. */
  public record Pair(RawRing out, RawRing back) {

    /** As {@link RawRing#clear}. */
    public void clear() {
      out.clear();
      back.clear();
    }
  }

  private static Path path(long owner, int round) {
    return Path.of("/dev/shm", "railflux-raw-" + owner + "-" + round);
  }

  public static Pair create(long owner, int round, int sizeBytes, Work work) {
    Path path = path(owner, round);
    var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    try (FileChannel file = FileChannel.open(
        path,
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
        mode)) {
      ByteBuffer zeros = ByteBuffer.allocateDirect(64 << 10);
      for (long left = 2 * ringBytes(sizeBytes); left > 0; ) {
        left -= file.write(zeros.clear().limit((int) Math.min(left, zeros.capacity())));
      }
      return map(file, sizeBytes, work);
    } catch (FileAlreadyExistsException e) {
      throw new CommandFailure("there is a bare ring " + path + " already", e);
    } catch (IOException e) {
      unlink(owner, round);
      throw new CommandFailure("cannot make the bare ring " + path + ": " + e.getMessage(), e);
    }
  }

  public static Pair open(long owner, int round, int sizeBytes, Work work) throws IOException {
    try (FileChannel file =
        FileChannel.open(path(owner, round), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return map(file, sizeBytes, work);
    }
  }

  /** Removes the file after both sides mapped it, so that nothing remains if a process dies. */
  public static void unlink(long owner, int round) {
    try {
      Files.deleteIfExists(path(owner, round));
    } catch (IOException e) {
      throw new CommandFailure("cannot remove a bare ring: " + e.getMessage(), e);
    }
  }

  private static Pair map(FileChannel file, int sizeBytes, Work work) throws IOException {
    long bytes = ringBytes(sizeBytes);
    return new Pair(
        new RawRing(file.map(FileChannel.MapMode.READ_WRITE, 0, bytes), sizeBytes, work),
        new RawRing(file.map(FileChannel.MapMode.READ_WRITE, bytes, bytes), sizeBytes, work));
  }

  private static long ringBytes(int sizeBytes) {
    return (RawRing.bytes(sizeBytes) + ALIGNMENT - 1) & -ALIGNMENT;
  }
}
