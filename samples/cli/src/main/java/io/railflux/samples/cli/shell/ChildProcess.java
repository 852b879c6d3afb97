package io.railflux.samples.cli.shell;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Another process of this command, with the same Java and class path. It ends with this process. */
public final class ChildProcess implements AutoCloseable {

  /** Main class of the railflux command. */
  public static final String CLI = "io.railflux.samples.cli.Main";

  private static final long END_SECONDS = 3;
  private static final int SIGNALLED = 128;

  private final String role;
  private final Process process;
  private final CompletableFuture<Void> output;
  private final CompletableFuture<Void> errors;
  private volatile String lastError = "";

  private ChildProcess(String role, Process process, Consumer<String> onLine) {
    this.role = role;
    this.process = process;
    this.output = read(role, process.getInputStream(), onLine);
    this.errors = read(role, process.getErrorStream(), line -> lastError = line);
  }

  /**
   * Starts {@code railflux arguments…} with the flags of this JVM.
   * @param role name of the process in messages
   * @param onLine receives each line of its standard output, on a separate thread
   */
  public static ChildProcess start(String role, List<String> arguments, Consumer<String> onLine) {
    return start(CLI, role, arguments, onLine);
  }

  /** As {@link #start(String, List, Consumer)}, with another main class. */
  public static ChildProcess start(
      String mainClass, String role, List<String> arguments, Consumer<String> onLine) {
    return start(List.of(), mainClass, role, arguments, onLine);
  }

  /** Starts {@code railflux arguments…} behind a command prefix, such as one that selects another host. */
  public static ChildProcess startOn(
      List<String> prefix, String role, List<String> arguments, Consumer<String> onLine) {
    return start(prefix, CLI, role, arguments, onLine);
  }

  private static ChildProcess start(
      List<String> prefix,
      String mainClass,
      String role,
      List<String> arguments,
      Consumer<String> onLine) {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
    command.addAll(arguments);
    try {
      return new ChildProcess(role, new ProcessBuilder(command).start(), onLine);
    } catch (IOException e) {
      throw new CommandFailure("cannot start the " + role + " process: " + e.getMessage(), e);
    }
  }

  /** Returns the flags of this JVM, without agents, recordings and new archives: files and ports are exclusive. */
  private static List<String> flags() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> !flag.startsWith("-agent") && !flag.startsWith("-javaagent"))
        .filter(flag -> !flag.contains("FlightRecord"))
        .filter(flag -> !flag.startsWith("-XX:ArchiveClassesAtExit"))
        .filter(flag -> !flag.startsWith("-XX:AOTCacheOutput"))
        .toList();
  }

  /** Returns a future that completes after the last line was delivered. */
  private static CompletableFuture<Void> read(
      String role, InputStream stream, Consumer<String> onLine) {
    CompletableFuture<Void> over = new CompletableFuture<>();
    Thread reader = new Thread(
        () -> {
          try (var lines =
              new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            lines.lines().forEach(onLine);
          } catch (IOException | java.io.UncheckedIOException e) {
            // The process ended. Other code reports its exit.
          } finally {
            over.complete(null);
          }
        },
        role + "-output");
    reader.setDaemon(true);
    reader.start();
    return over;
  }

  public long pid() {
    return process.pid();
  }

  /** Completes with this child after it has ended and all of its output was delivered. */
  public CompletableFuture<ChildProcess> ended() {
    return CompletableFuture.allOf(process.onExit(), output, errors).thenApply(ended -> this);
  }

  /** Notifies of the end, on any thread. */
  @SuppressWarnings("FutureReturnValueIgnored") // A failure of the listener is not handled here.
  public void onEnd(Consumer<ChildProcess> listener) {
    ended().thenAccept(listener);
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Describes the end of a process. */
  public String describeEnd() {
    int code = process.exitValue();
    String how =
        code > SIGNALLED ? "was killed by signal " + (code - SIGNALLED) : "ended with code " + code;
    String error = lastError.isBlank() ? "" : ": " + lastError;
    return "the " + role + " process (pid " + pid() + ") " + how + error;
  }

  public boolean wasKilled() {
    return !process.isAlive() && process.exitValue() > SIGNALLED;
  }

  /** Ends the process by closing its standard input, and kills it if it does not react. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // The process closed the stream itself.
    }
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor(END_SECONDS, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
