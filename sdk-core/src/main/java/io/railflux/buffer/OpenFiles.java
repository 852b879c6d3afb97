package io.railflux.buffer;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reserves one file descriptor, so that a process without another one can accept a connection and report its refusal.
 * Not thread-safe.
 */
public final class OpenFiles implements AutoCloseable {

  /** Cause and remedy of a lack of file descriptors. */
  public static final String SHORTAGE =
      "too many open files; raise the limit: ulimit -n, or LimitNOFILE= of a systemd service";

  private static final Path NOTHING = Path.of("/dev/null");

  private @Nullable FileChannel kept;

  /** Creates an empty reserve. */
  public OpenFiles() {}

  /**
   * Whether the limit of open files caused a failure, directly or indirectly.
   *
   * @param failure failure of an operation that needs a descriptor
   */
  public static boolean areTooMany(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < 10; depth++) {
      String text = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
      if (text.contains("too many open files")) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  /**
   * Reserves a descriptor.
   *
   * @return false if the process has none left
   */
  public boolean keep() {
    if (kept == null) {
      try {
        kept = FileChannel.open(NOTHING, StandardOpenOption.READ);
      } catch (IOException e) {
        return false;
      }
    }
    return true;
  }

  /**
   * Releases the descriptor for the next operation that needs one.
   *
   * @return false if none was reserved
   */
  public boolean giveUp() {
    if (kept == null) {
      return false;
    }
    try {
      kept.close();
    } catch (IOException e) {
      // The descriptor is free in any case.
    }
    kept = null;
    return true;
  }

  @Override
  public void close() {
    giveUp();
  }
}
