package io.railflux.fabric.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which fabric of which process: enough to name its directory, and to tell a process from a later
 * one that was given the same number.
 *
 * @param namespace inode of the process-number namespace: containers that share memory count apart
 * @param pid number within that namespace
 * @param startTicks start time as the kernel tells it
 * @param fabric counts the fabrics of the process
 */
record ProcessIdentity(long namespace, long pid, long startTicks, long fabric) {

  private static final Pattern DIRECTORY =
      Pattern.compile("p-(\\d{1,18})-(\\d{1,18})-(\\d{1,18})-(\\d{1,18})");
  private static final Pattern NAMESPACE = Pattern.compile("pid:\\[(\\d{1,18})]");
  private static final int START_FIELD_AFTER_NAME = 20;

  /** Of this process, as fabric 0. */
  static ProcessIdentity current() throws IOException {
    String link = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
    Matcher namespace = NAMESPACE.matcher(link);
    if (!namespace.matches()) {
      throw new IOException("/proc/self/ns/pid is not understood: " + link);
    }
    long pid = ProcessHandle.current().pid();
    return new ProcessIdentity(Long.parseLong(namespace.group(1)), pid, startTicks("self"), 0);
  }

  /** Undoes {@link #directoryName()}; {@code null} for any other name. */
  static ProcessIdentity parse(String directoryName) {
    Matcher numbers = DIRECTORY.matcher(directoryName);
    if (!numbers.matches()) {
      return null;
    }
    return new ProcessIdentity(
        Long.parseLong(numbers.group(1)),
        Long.parseLong(numbers.group(2)),
        Long.parseLong(numbers.group(3)),
        Long.parseLong(numbers.group(4)));
  }

  String directoryName() {
    return "p-" + namespace + "-" + pid + "-" + startTicks + "-" + fabric;
  }

  ProcessIdentity withFabric(long number) {
    return new ProcessIdentity(namespace, pid, startTicks, number);
  }

  boolean sameProcess(ProcessIdentity other) {
    return namespace == other.namespace && pid == other.pid && startTicks == other.startTicks;
  }

  /** Whether the numbers are such as {@link #directoryName()} and {@link #parse} agree on. */
  boolean plausible() {
    return pid > 0 && equals(parse(directoryName()));
  }

  /** Whether a process of this number and start time runs; only for our own namespace. */
  boolean runs() {
    try {
      return startTicks(Long.toString(pid)) == startTicks;
    } catch (IOException e) {
      return false;
    }
  }

  private static long startTicks(String process) throws IOException {
    String stat = Files.readString(Path.of("/proc", process, "stat"));
    // The second field is the program's name in brackets and may hold blanks and brackets itself.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).trim().split(" ", -1);
    if (fields.length < START_FIELD_AFTER_NAME) {
      throw new IOException("/proc/" + process + "/stat is not understood: " + stat);
    }
    return Long.parseLong(fields[START_FIELD_AFTER_NAME - 1]);
  }
}
