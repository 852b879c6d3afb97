package io.railflux;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A running {@link HostNode} and its output. */
final class HostProcess implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 120;

  private final Process process;
  private final PrintWriter orders;
  private final List<String> lines = new ArrayList<>();
  private int consumed;

  /**
   * @param host command prefix that selects the host
   */
  HostProcess(List<String> host, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(host);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("-Dorg.slf4j.simpleLogger.logFile=System.out");
    command.add("-Dorg.slf4j.simpleLogger.log.io.railflux.Discovery=debug");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(HostNode.class.getName());
    command.addAll(List.of(arguments));
    process = new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    orders = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
    Thread reader = new Thread(this::read, "host-output");
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (BufferedReader output = new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        append(line);
      }
    } catch (IOException e) {
      append("cut off: " + e.getMessage());
    }
    append("gone");
  }

  private synchronized void append(String line) {
    lines.add(line);
    notifyAll();
  }

  /** Returns the next line that contains a text. Earlier lines are consumed. */
  synchronized String expect(String part) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (true) {
      while (consumed < lines.size()) {
        String line = lines.get(consumed++);
        if (line.contains(part)) {
          return line;
        }
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      assertTrue(millis > 0, () -> "the process never printed '" + part + "', but: " + lines);
      wait(millis);
    }
  }

  /** Returns whether the process printed a line with a prefix. Log lines do not count. */
  synchronized boolean hasPrintedLine(String beginning) {
    return lines.stream().anyMatch(line -> line.startsWith(beginning));
  }

  /** Returns whether any line, including log lines, contains a text. */
  synchronized boolean hasPrinted(String part) {
    return lines.stream().anyMatch(line -> line.contains(part));
  }

  void order(String line) {
    orders.println(line);
  }

  /** Returns the number in the answer to a query. */
  long ask(String what) throws InterruptedException {
    order(what);
    return Long.parseLong(expect(what + " ").substring(what.length() + 1));
  }

  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}
