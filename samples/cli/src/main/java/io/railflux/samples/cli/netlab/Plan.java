package io.railflux.samples.cli.netlab;

import io.railflux.samples.cli.shell.Network;
import io.railflux.samples.cli.shell.Secrecy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The arguments for the processes of both hosts. */
final class Plan {

  static final int PORT = 7_400;

  @Option(names = "--experiment", required = true, converter = Experiment.Reader.class)
  private Experiment experiment;

  @Option(names = "--hosts", required = true)
  private String hosts;

  @Option(names = "--seconds", required = true)
  private double seconds;

  @Option(names = "--runs", required = true)
  private int runs;

  @Mixin
  private Secrecy secrecy;

  static List<String> arguments(
      String command, Experiment experiment, Hosts hosts, Repetition repetition) {
    List<String> arguments = new ArrayList<>(List.of(
        command,
        "--experiment",
        experiment.toString(),
        "--hosts",
        hosts.name(),
        "--seconds",
        String.valueOf(repetition.seconds()),
        "--runs",
        String.valueOf(repetition.runs())));
    arguments.addAll(repetition.secrecy());
    return arguments;
  }

  /**
   * @param seconds of each measurement; for a fault, of the time after it
   * @param secrecy arguments with the secrets of both hosts
   */
  record Repetition(double seconds, int runs, List<String> secrecy) {}

  Network network() {
    return new Network(List.of("tcp"), secrecy);
  }

  Experiment experiment() {
    return experiment;
  }

  Hosts hosts() {
    return Hosts.of(hosts);
  }

  Duration measured() {
    return Duration.ofNanos((long) (seconds * 1e9));
  }

  int runs() {
    return runs;
  }
}
