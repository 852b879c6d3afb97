package io.railflux.samples.cli.measure;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine;

/** What a receiver does with each message. Whoever sends writes all bytes of it, whichever it is. */
public enum Work {
  /** Reads a word of every cache line. */
  TOUCH,
  /** Reads all of it, and checks that it is what was sent. */
  CHECKSUM;

  /** Reads the name as it is written. */
  public static final class Reader implements CommandLine.ITypeConverter<Work> {

    @Override
    public Work convert(String name) {
      return Arrays.stream(values())
          .filter(work -> work.toString().equals(name))
          .findFirst()
          .orElseThrow(() -> new CommandLine.TypeConversionException("no work is called '" + name
              + "'; choose " + Arrays.stream(values()).map(Work::toString).collect(joining(", "))));
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
