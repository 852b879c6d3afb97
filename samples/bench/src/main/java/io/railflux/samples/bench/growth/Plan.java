package io.railflux.samples.bench.growth;

import io.railflux.Railflux;
import io.railflux.samples.cli.shell.Network;
import io.railflux.samples.cli.shell.Secrecy;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The arguments of the near process. */
final class Plan {

  static final int MAX_STREAMS = 20_000;
  private static final int MAX_PEERS = 2_000;

  @Option(names = "--experiment", required = true, converter = Experiment.Reader.class)
  private Experiment experiment;

  @Option(names = "--part", required = true)
  private String part;

  @Option(names = "--fabric", required = true)
  private String fabric;

  @Option(names = "--seconds", required = true)
  private double seconds;

  @Mixin
  private Points points;

  /** Returns the arguments of the near command. */
  static List<String> arguments(
      Experiment experiment, String part, String fabric, double seconds, Points points) {
    List<String> arguments = new ArrayList<>(List.of(
        "near",
        "--experiment",
        experiment.toString(),
        "--part",
        part,
        "--fabric",
        fabric,
        "--seconds",
        String.valueOf(seconds)));
    arguments.addAll(points.arguments());
    return arguments;
  }

  static Network network(String fabric) {
    return new Network(List.of(fabric), new Secrecy());
  }

  /** Returns a node whose limits cover all experiments. */
  static Railflux node(String fabric, String name) {
    return network(fabric).node(name).maxStreams(MAX_STREAMS).maxPeers(MAX_PEERS);
  }

  Experiment experiment() {
    return experiment;
  }

  String part() {
    return part;
  }

  String fabric() {
    return fabric;
  }

  long measuredNanos() {
    return (long) (seconds * 1e9);
  }

  long warmUpNanos() {
    return measuredNanos() / 2;
  }

  int[] points(int... all) {
    return points.of(all);
  }

  /** Returns powers of four from {@code first} to {@code last}. */
  int[] powersOfFour(int first, int last) {
    List<Integer> all = new ArrayList<>();
    for (long point = first; point <= last; point *= 4) {
      all.add((int) point);
    }
    return points(all.stream().mapToInt(Integer::intValue).toArray());
  }

  int atMost(int number) {
    return points.atMost(number);
  }
}
