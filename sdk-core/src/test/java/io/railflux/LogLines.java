package io.railflux;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/** Captures the log on the standard error stream. The logger looks the stream up for each line. */
final class LogLines implements AutoCloseable {

  private final PrintStream before = System.err;
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  LogLines() {
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
  }

  String text() {
    return written.toString(StandardCharsets.UTF_8);
  }

  /** Returns the number of lines that contain all parts. */
  long count(String... parts) {
    return text()
        .lines()
        .filter(line -> Stream.of(parts).allMatch(line::contains))
        .count();
  }

  @Override
  public void close() {
    System.setErr(before);
    System.err.print(text());
  }
}
