package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.shell.CommandFailure;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The tools of linux-rdma/perftest, if installed: one side serves, the other one measures. */
final class Perftest {

  private static final int MAX_ITERATIONS = 5_000;
  private static final int MIN_ITERATIONS = 5;
  private static final long BYTES_A_RUN = 1L << 30;

  private Perftest() {}

  /** A tool. */
  enum Tool {
    LATENCY("ib_write_lat", Order.Task.PERFTEST_LATENCY),
    BANDWIDTH("ib_write_bw", Order.Task.PERFTEST_BANDWIDTH);

    final String command;
    final Order.Task task;

    Tool(String command, Order.Task task) {
      this.command = command;
      this.task = task;
    }

    static Tool of(Workload workload) {
      return workload.roundTrip() ? LATENCY : BANDWIDTH;
    }

    static Tool of(Order.Task task) {
      return task == LATENCY.task ? LATENCY : BANDWIDTH;
    }

    boolean installed() {
      return Pattern.compile(File.pathSeparator)
          .splitAsStream(System.getenv().getOrDefault("PATH", ""))
          .anyMatch(directory -> Files.isExecutable(Path.of(directory, command)));
    }

    String absence() {
      return command + " is not installed: apt-get install perftest";
    }
  }

  /** Starts the serving side, which ends together with the measuring side. Returns its port. May block. */
  static int serve(Tool tool, int sizeBytes) throws IOException {
    if (!tool.installed()) {
      throw new IOException(tool.absence());
    }
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    start(arguments(tool, sizeBytes, port));
    return port;
  }

  /** Runs the measuring side once and returns its output. May fail while the serving side starts. */
  static List<String> measure(Tool tool, int sizeBytes, String host, int port) {
    List<String> command = new java.util.ArrayList<>(arguments(tool, sizeBytes, port));
    command.add(host);
    try {
      Process process = start(command);
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new CommandFailure(tool.command + " failed: " + output.strip());
      }
      return output.lines().toList();
    } catch (IOException e) {
      throw new CommandFailure("cannot run " + tool.command + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted", e);
    }
  }

  private static Process start(List<String> command) throws IOException {
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /** Uses the connection manager, which finds the card by the host's address. */
  private static List<String> arguments(Tool tool, int sizeBytes, int port) {
    return List.of(
        tool.command,
        "-R",
        "-F",
        "-s",
        String.valueOf(sizeBytes),
        "-n",
        String.valueOf(iterations(sizeBytes)),
        "-p",
        String.valueOf(port));
  }

  static int iterations(int sizeBytes) {
    return (int) Math.max(MIN_ITERATIONS, Math.min(MAX_ITERATIONS, BYTES_A_RUN / sizeBytes));
  }

  /**
   * Parses the row of figures in the output of a tool. Columns are bytes and iterations. Latency adds minimum, maximum
   * and typical microseconds one way; bandwidth adds peak and average MiB per second.
   */
  static double[] row(List<String> printed, int sizeBytes) {
    return printed.stream()
        .map(String::strip)
        .filter(line -> line.matches("\\d+\\s+\\d+(\\s+[\\d.]+){2,}"))
        .filter(line -> line.startsWith(sizeBytes + " "))
        .reduce((earlier, later) -> later)
        .map(line -> Pattern.compile("\\s+")
            .splitAsStream(line)
            .mapToDouble(Double::parseDouble)
            .toArray())
        .orElseThrow(() -> new CommandFailure("perftest printed no figures: " + printed));
  }
}
