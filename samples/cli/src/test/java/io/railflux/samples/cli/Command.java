package io.railflux.samples.cli;

import static org.awaitility.Awaitility.await;

import io.railflux.samples.cli.shell.Json;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A process with the railflux command and the class path of this test. */
final class Command implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final long MAX_SECONDS = 180;

  private final Process process;
  private final Path out;
  private final Path err;

  /** The result of the command. */
  record Ended(int code, String out, String err) {

    String lastLine() {
      return out.lines().reduce("", (earlier, later) -> later);
    }

    @SuppressWarnings("unchecked")
    Map<String, Object> json() {
      return Json.parse(lastLine(), Map.class);
    }

    List<String> errorLines() {
      return err.lines().filter(line -> !line.startsWith("Picked up ")).toList();
    }
  }

  private Command(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  static Command start(String... arguments) throws IOException {
    return startOn(List.of(), arguments);
  }

  /**
   * @param host command prefix that selects the host
   */
  static Command startOn(List<String> host, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(host);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (Runtime.version().feature() >= 22) {
      command.add("--enable-native-access=ALL-UNNAMED");
    }
    // Later JDKs may not support the flag.
    if (Runtime.version().feature() >= 23 && Runtime.version().feature() < 26) {
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    // The runs are short: the first JIT tier suffices and leaves the cores to the processes.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
    command.addAll(List.of("-cp", classPath(), Main.class.getName()));
    command.addAll(List.of(arguments));
    Path out = Files.createTempFile("railflux", ".out");
    Path err = Files.createTempFile("railflux", ".err");
    Process process = new ProcessBuilder(command)
        .redirectOutput(out.toFile())
        .redirectError(err.toFile())
        .start();
    return new Command(process, out, err);
  }

  /**
   * Returns the class path of this test. In mvn test it contains directories, in which JVMs do not select versioned
   * classes.
   */
  private static String classPath() {
    String path = System.getProperty("java.class.path");
    if (Runtime.version().feature() < 22) {
      return path;
    }
    return Stream.of(path.split(File.pathSeparator, -1))
        .flatMap(entry -> Stream.of(entry + "/META-INF/versions/22", entry))
        .filter(entry -> Files.exists(Path.of(entry)))
        .collect(Collectors.joining(File.pathSeparator));
  }

  static Ended run(String... arguments) throws IOException, InterruptedException {
    try (Command command = start(arguments)) {
      return command.ended();
    }
  }

  Ended ended() throws IOException, InterruptedException {
    if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("not ended after " + MAX_SECONDS + " s; output: " + read(out));
    }
    return new Ended(process.exitValue(), read(out), read(err));
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }

  /** Simulates the end of this process. */
  void closeInput() throws IOException {
    process.getOutputStream().close();
  }

  /** Sends a signal to this process and others, as a terminal does to all processes of a command. */
  void signal(String name, ProcessHandle... others) throws IOException, InterruptedException {
    List<String> kill = new ArrayList<>(List.of("kill", "-" + name));
    Stream.concat(Stream.of(handle()), Stream.of(others))
        .forEach(target -> kill.add(String.valueOf(target.pid())));
    new ProcessBuilder(kill).inheritIO().start().waitFor();
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  String outputSoFar() throws IOException {
    return read(out);
  }

  /** Waits for the child whose command line has an argument, and returns it. */
  ProcessHandle child(String argument) {
    return await()
        .alias("a child with argument " + argument)
        .atMost(PATIENCE)
        .until(() -> running(argument), Optional::isPresent)
        .orElseThrow();
  }

  private Optional<ProcessHandle> running(String argument) {
    return process.children().filter(child -> has(child, argument)).findFirst();
  }

  /** The JDK truncates long command lines. */
  private static boolean has(ProcessHandle child, String argument) {
    try {
      String line = read(Path.of("/proc", String.valueOf(child.pid()), "cmdline"));
      return List.of(line.split("\0", -1)).contains(argument);
    } catch (IOException e) {
      // The process has ended.
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    Files.deleteIfExists(out);
    Files.deleteIfExists(err);
  }
}
