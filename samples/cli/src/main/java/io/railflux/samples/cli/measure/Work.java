package io.railflux.samples.cli.measure;

import io.railflux.samples.cli.shell.ByName;
import java.util.Locale;

/** What a receiver does with each message. Whoever sends writes all bytes of it, whichever it is. */
public enum Work {
  /** Reads a word of every cache line. */
  TOUCH,
  /** Reads all of it, and checks that it is what was sent. */
  CHECKSUM;

  /** Reads the name as it is written. */
  public static final class Reader extends ByName<Work> {

    /** For picocli. */
    public Reader() {
      super("work", values());
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
