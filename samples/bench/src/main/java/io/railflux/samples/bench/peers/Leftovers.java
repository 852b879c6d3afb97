package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.shell.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Files of a far side in shared memory. Only the far side removes them, which fails if it is killed. */
public final class Leftovers {

  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final Pattern NAME = Pattern.compile("railflux-(raw|aeron)-(\\d+)(-\\w+)?");

  private Leftovers() {}

  /** Removes the files of an ended process. */
  public static void remove(long pid) {
    if (Files.notExists(SHARED_MEMORY)) {
      return;
    }
    try (Stream<Path> files = Files.list(SHARED_MEMORY)) {
      for (Path left : files.filter(file -> isOf(pid, file)).toList()) {
        removeTree(left);
      }
    } catch (IOException e) {
      throw new CommandFailure("cannot remove what process " + pid + " left: " + e.getMessage(), e);
    }
  }

  /** Creators of rings put their process id above bit 16 and a counter below. */
  private static boolean isOf(long pid, Path file) {
    Matcher name = NAME.matcher(file.getFileName().toString());
    if (!name.matches()) {
      return false;
    }
    long owner = Long.parseLong(name.group(2));
    return (name.group(1).equals("raw") ? owner >> Short.SIZE : owner) == pid;
  }

  private static void removeTree(Path tree) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
