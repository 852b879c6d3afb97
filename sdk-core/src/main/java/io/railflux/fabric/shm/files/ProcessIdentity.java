package io.railflux.fabric.shm.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Identity of a fabric of a process: names its directory, and distinguishes a process from a later one with the same
 * number.
 *
 * @param namespace inode of the PID namespace, which separates containers that share memory
 * @param pid number within that namespace
 * @param startTicks start time of the process in clock ticks since boot
 * @param fabric number of the fabric within the process
 */
public record ProcessIdentity(long namespace, long pid, long startTicks, long fabric) {

  private static final Pattern DIRECTORY =
      Pattern.compile("p-(\\d{1,18})-(\\d{1,18})-(\\d{1,18})-(\\d{1,18})");
  private static final Pattern NAMESPACE = Pattern.compile("pid:\\[(\\d{1,18})]");
  private static final int START_FIELD_AFTER_NAME = 20;

  /** Returns the identity of this process, as fabric 0. */
  public static ProcessIdentity current() throws IOException {
    String link = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
    Matcher namespace = NAMESPACE.matcher(link);
    if (!namespace.matches()) {
      throw new IOException("/proc/self/ns/pid is not understood: " + link);
    }
    long pid = ProcessHandle.current().pid();
    return new ProcessIdentity(Long.parseLong(namespace.group(1)), pid, startTicks("self"), 0);
  }

  /** Inverse of {@link #directoryName()}; {@code null} for other names. */
  public static ProcessIdentity parse(String directoryName) {
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

  public String directoryName() {
    return "p-" + namespace + "-" + pid + "-" + startTicks + "-" + fabric;
  }

  public ProcessIdentity withFabric(long number) {
    return new ProcessIdentity(namespace, pid, startTicks, number);
  }

  public boolean sameProcess(ProcessIdentity other) {
    return namespace == other.namespace && pid == other.pid && startTicks == other.startTicks;
  }

  /** Whether {@link #directoryName()} and {@link #parse} agree on the numbers. */
  public boolean plausible() {
    return pid > 0 && equals(parse(directoryName()));
  }

  /** Whether a process with this number and start time runs; for the own namespace only. */
  public boolean runs() {
    try {
      return startTicks(Long.toString(pid)) == startTicks;
    } catch (IOException e) {
      return false;
    }
  }

  private static long startTicks(String process) throws IOException {
    String stat = Files.readString(Path.of("/proc", process, "stat"));
    // The second field is the name of the program in brackets, which may contain blanks and
    // brackets.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).trim().split(" ", -1);
    if (fields.length < START_FIELD_AFTER_NAME) {
      throw new IOException("/proc/" + process + "/stat is not understood: " + stat);
    }
    return Long.parseLong(fields[START_FIELD_AFTER_NAME - 1]);
  }
}
