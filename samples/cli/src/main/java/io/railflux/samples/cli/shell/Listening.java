package io.railflux.samples.cli.shell;

import java.io.PrintWriter;

/** The first line that a process prints, with its listening address. */
public final class Listening {

  private static final String PREFIX = "listening on ";

  private Listening() {}

  public static void announce(PrintWriter out, String address) {
    out.println(PREFIX + address);
    out.flush();
  }

  /** Returns whether a line is an announcement. Native libraries may print other lines first. */
  public static boolean isAnnouncement(String line) {
    return line.startsWith(PREFIX);
  }

  /** Returns the address in an announcement. Throws {@link CommandFailure} with the line if it is none. */
  public static String address(String line) {
    if (!line.startsWith(PREFIX)) {
      throw new CommandFailure("a process did not announce its address, but printed: " + line);
    }
    return line.substring(PREFIX.length());
  }
}
