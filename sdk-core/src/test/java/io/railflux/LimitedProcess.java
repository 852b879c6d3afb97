package io.railflux;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** A {@link LimitedNode} under a limit, with its output and log. */
final class LimitedProcess implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 60;
  private static final String NEEDED = ".*/(reactor-core|reactive-streams|netty|slf4j)[^/]*";

  private final Path temporary;
  private final Process process;
  private final PrintWriter commands;
  private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final List<String> printed = new CopyOnWriteArrayList<>();

  private LimitedProcess(List<String> prefix, List<String> options, Path directory, String name)
      throws IOException {
    temporary = Files.createTempDirectory("limited");
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of(
        "-Xmx128m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Dorg.slf4j.simpleLogger.logFile=System.out",
        "-cp",
        classPath(temporary),
        LimitedNode.class.getName(),
        directory.toString(),
        name));
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    commands = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
    Thread reader = new Thread(this::read, "limited-output");
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Merges the class path: each jar needs a descriptor, and loading a class from a directory needs another one
   * temporarily.
   */
  private static String classPath(Path directory) throws IOException {
    List<String> jars = new ArrayList<>();
    Path own = directory.resolve("classes.jar");
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(own))) {
      Set<String> names = new HashSet<>();
      for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, 0)) {
        Path path = Path.of(entry);
        if (Files.isDirectory(path)) {
          copy(path, jar, names);
        } else if (entry.matches(NEEDED)) {
          jars.add(entry);
        }
      }
    }
    jars.add(own.toString());
    return String.join(File.pathSeparator, jars);
  }

  private static void copy(Path classes, JarOutputStream jar, Set<String> names)
      throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(classes)) {
      files = all.filter(Files::isRegularFile).toList();
    }
    for (Path file : files) {
      String name = classes.relativize(file).toString();
      if (names.add(name)) {
        jar.putNextEntry(new JarEntry(name));
        Files.copy(file, jar);
      }
    }
  }

  /** Starts a process with a limit of direct memory in MiB. */
  static LimitedProcess withDirectMemory(int mebibytes, Path directory, String name)
      throws IOException {
    List<String> options = List.of("-XX:MaxDirectMemorySize=" + mebibytes + "m");
    return new LimitedProcess(List.of(), options, directory, name);
  }

  /** Starts a process with a limit of open files. */
  static LimitedProcess withDescriptors(int count, Path directory, String name) throws IOException {
    List<String> prefix = List.of("bash", "-c", "ulimit -n " + count + "; exec \"$@\"", "limited");
    return new LimitedProcess(prefix, List.of(), directory, name);
  }

  private void read() {
    try (BufferedReader output = new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        printed.add(line);
        lines.add(line);
      }
    } catch (IOException e) {
      printed.add("cut off: " + e.getMessage());
    }
  }

  /** Waits for a line with a prefix and returns the rest of the line. */
  String expect(String prefix) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (true) {
      String line = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      assertTrue(line != null, () -> "the process never printed '" + prefix + "', but: " + printed);
      if (line.startsWith(prefix)) {
        return line.substring(prefix.length()).trim();
      }
    }
  }

  /** Sends a command and returns the answer. */
  String ask(String command) throws InterruptedException {
    commands.println(command);
    return expect(command.split(" ", 2)[0] + " ");
  }

  /** Returns the number of lines so far that contain all of the words. */
  long count(String... words) {
    return printed.stream()
        .filter(line -> List.of(words).stream().allMatch(line::contains))
        .count();
  }

  List<String> printed() {
    return printed;
  }

  long pid() {
    return process.pid();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
    try {
      Files.delete(temporary.resolve("classes.jar"));
      Files.delete(temporary);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
