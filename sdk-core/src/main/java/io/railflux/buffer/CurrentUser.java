package io.railflux.buffer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The user of this process in the file system. */
final class CurrentUser {

  private static final int FILE_SYSTEM_UID = 4;

  private CurrentUser() {}

  /**
   * Returns the uid that the kernel checks and stamps on files. Names would not suffice, because containers run under
   * uids without names.
   */
  static int id() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("Uid:")) {
        return Integer.parseUnsignedInt(line.split("\\s+", -1)[FILE_SYSTEM_UID]);
      }
    }
    throw new IOException("/proc/self/status contains no Uid; shared memory needs Linux");
  }
}
