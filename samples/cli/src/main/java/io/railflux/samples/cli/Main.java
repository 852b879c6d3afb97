package io.railflux.samples.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry point of the {@code railflux} command. */
@Command(
    name = "railflux",
    mixinStandardHelpOptions = true,
    version = "railflux 0.1.0-SNAPSHOT",
    description = "Typed reactive streams over shared memory, TCP and RDMA.")
final class Main implements Runnable {

  private Main() {}

  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }

  @Override
  public void run() {
    CommandLine.usage(this, System.out);
  }
}
