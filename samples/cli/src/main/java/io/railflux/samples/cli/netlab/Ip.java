package io.railflux.samples.cli.netlab;

import io.railflux.samples.cli.shell.CommandFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The {@code ip} and {@code tc} commands of the system. */
final class Ip {

  private Ip() {}

  /** Runs a command. A failure contains the output of the command. */
  static void run(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new CommandFailure(String.join(" ", command) + ": " + output.strip());
      }
    } catch (IOException e) {
      throw new CommandFailure("cannot run " + command[0] + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted", e);
    }
  }
}
