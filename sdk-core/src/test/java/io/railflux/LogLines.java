package io.railflux;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/** What the JVM's logger writes to the standard error stream, which it reads for each line. */
final class LogLines implements AutoCloseable {

  private final PrintStream before = System.err;
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  LogLines() {
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
  }

  String text() {
    return written.toString(StandardCharsets.UTF_8);
  }

  /** How many lines contain all of the parts. */
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
