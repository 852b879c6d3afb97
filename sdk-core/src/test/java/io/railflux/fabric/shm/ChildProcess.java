package io.railflux.fabric.shm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A running {@link ShmChild}. */
final class ChildProcess implements AutoCloseable {

  private final Process process;
  private final BufferedReader output;

  private ChildProcess(List<String> command) throws IOException {
    // Logs and warnings of the JDK are not part of the answers.
    process = new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Starts a child that listens. */
  static ChildProcess listening(Path base, String location) throws IOException {
    ChildProcess child = new ChildProcess(command(base, location));
    String line = child.line();
    if (!"listening".equals(line)) {
      child.close();
      throw new IOException("output of the child: " + line);
    }
    return child;
  }

  /**
   * Starts a child that connects once.
   * @param prefix command prefix, for instance to become another user
   */
  static ChildProcess connecting(Path base, String location, List<String> prefix)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(command(base, location));
    command.add("connect");
    return new ChildProcess(command);
  }

  private static List<String> command(Path base, String location) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classPath = System.getProperty("java.class.path");
    return List.of(
        java,
        "-Xmx64m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-cp",
        classPath,
        ShmChild.class.getName(),
        base.toString(),
        location);
  }

  /** Returns the next printed line, or {@code null} at the end. */
  String line() throws IOException {
    return output.readLine();
  }

  long pid() {
    return process.pid();
  }

  boolean alive() {
    return process.isAlive();
  }

  void kill() {
    process.destroyForcibly();
  }

  void signal(String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
  }

  int exitCode() throws InterruptedException {
    return process.waitFor(20, TimeUnit.SECONDS) ? process.exitValue() : -1;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
