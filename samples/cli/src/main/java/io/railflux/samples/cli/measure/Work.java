package io.railflux.samples.cli.measure;

import io.railflux.samples.cli.shell.ByName;
import java.util.Locale;

/** The work of a receiver per message. The sender writes all bytes in either case. */
public enum Work {
  /** Reads one word of every cache line. */
  TOUCH,
  /** Reads all bytes and verifies their checksum. */
  CHECKSUM;

  /** Converts the name of a value. */
  public static final class Reader extends ByName<Work> {

    /** Instantiated by picocli. */
    public Reader() {
      super("work", values());
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
