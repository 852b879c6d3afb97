package io.railflux.samples.cli.shell;

import java.io.PrintWriter;

/** The line by which a process says where it can be reached; the first it prints. */
public final class Listening {

  private static final String PREFIX = "listening on ";

  private Listening() {}

  public static void announce(PrintWriter out, String address) {
    out.println(PREFIX + address);
    out.flush();
  }

  /** Whether it is such a line: native libraries may say something before. */
  public static boolean isAnnouncement(String line) {
    return line.startsWith(PREFIX);
  }

  /** The address in such a line; {@link CommandFailure} with the line when it is none. */
  public static String address(String line) {
    if (!line.startsWith(PREFIX)) {
      throw new CommandFailure("a process did not say where it listens, but: " + line);
    }
    return line.substring(PREFIX.length());
  }
}
