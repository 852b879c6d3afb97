package io.railflux;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A JVM with a main class of the tests, such as {@link ChildNode}, and its output. */
final class Child implements AutoCloseable {

  private final Process process;
  private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();

  /** @param mode {@code bind} or {@code connect} */
  Child(Path directory, String address, String mode) throws IOException {
    this(
        System.getProperty("java.class.path"),
        "off",
        ChildNode.class,
        directory.toString(),
        address,
        mode);
  }

  /**
   * @param logLevel of SLF4J's simple logger, whose output is read here
   */
  Child(String classPath, String logLevel, Class<?> main, String... arguments) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new ArrayList<>(List.of(
        java,
        "-Xmx128m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Dorg.slf4j.simpleLogger.logFile=System.out",
        "-Dorg.slf4j.simpleLogger.defaultLogLevel=" + logLevel,
        "-cp",
        classPath,
        main.getName()));
    command.addAll(List.of(arguments));
    process = new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    Thread reader = new Thread(this::read, "child-output");
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (BufferedReader output = new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      // The process was killed while it wrote a line.
      lines.add("cut off: " + e.getMessage());
    }
  }

  /** Waits for a line with a prefix. Earlier lines are dropped. */
  String expect(String prefix) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    StringBuilder printed = new StringBuilder();
    while (true) {
      String line = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      assertTrue(line != null, () -> "the child never printed '" + prefix + "', but: " + printed);
      if (line.startsWith(prefix)) {
        return line;
      }
      printed.append(line).append("; ");
    }
  }

  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  /** Writes a line to its standard input. */
  void say(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  void kill() {
    process.destroyForcibly().onExit().join();
  }

  boolean ended() throws InterruptedException {
    return process.waitFor(20, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    kill();
  }
}
