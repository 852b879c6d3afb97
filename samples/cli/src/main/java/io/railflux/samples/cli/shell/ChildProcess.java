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

/** Another process of this command: same Java, same class path, dies with this one. */
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
   *
   * @param role how to call it in messages
   * @param onLine gets each line of its standard output, on a thread of its own
   */
  public static ChildProcess start(String role, List<String> arguments, Consumer<String> onLine) {
    return start(CLI, role, arguments, onLine);
  }

  /** The same with another main class. */
  public static ChildProcess start(
      String mainClass, String role, List<String> arguments, Consumer<String> onLine) {
    return start(List.of(), mainClass, role, arguments, onLine);
  }

  /** {@code railflux arguments…} behind another command, such as one that makes it run on another host. */
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

  /** Flags of this JVM, but for agents and recordings, which name files and ports of their own. */
  private static List<String> flags() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> !flag.startsWith("-agent") && !flag.startsWith("-javaagent"))
        .filter(flag -> !flag.contains("FlightRecord"))
        .toList();
  }

  /** Returns what completes when the last line was handed on. */
  private static CompletableFuture<Void> read(
      String role, InputStream stream, Consumer<String> onLine) {
    CompletableFuture<Void> over = new CompletableFuture<>();
    Thread reader = new Thread(
        () -> {
          try (var lines =
              new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            lines.lines().forEach(onLine);
          } catch (IOException | java.io.UncheckedIOException e) {
            // The process is gone; its exit is reported elsewhere.
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

  /** Completes with this child when it has ended and all that it said was handed on. */
  public CompletableFuture<ChildProcess> ended() {
    return CompletableFuture.allOf(process.onExit(), output, errors).thenApply(ended -> this);
  }

  /** Tells when it has ended, on any thread. */
  @SuppressWarnings("FutureReturnValueIgnored") // The listener's failure would be its own business.
  public void onEnd(Consumer<ChildProcess> listener) {
    ended().thenAccept(listener);
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** What became of a process that ended, for people. */
  public String obituary() {
    int code = process.exitValue();
    String how =
        code > SIGNALLED ? "was killed by signal " + (code - SIGNALLED) : "ended with code " + code;
    String said = lastError.isBlank() ? "" : ": " + lastError;
    return "the " + role + " process (pid " + pid() + ") " + how + said;
  }

  public boolean wasKilled() {
    return !process.isAlive() && process.exitValue() > SIGNALLED;
  }

  /** Tells it to end by closing its standard input, and makes sure. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It closed that end itself.
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
