package io.railflux.samples.cli.demo;

import io.railflux.samples.cli.shell.Network;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The arguments of the side with the sink.
 * @param network of the sink; with {@code listen}, only of the processes of this host
 * @param fabric of the source's stream
 * @param listen address for a source on another host; null starts the source here
 * @param seconds duration of the telemetry; null to end with the file
 * @param slowSink demand of the sink in messages per second; null for no limit
 */
record DemoPlan(
    Network network,
    String fabric,
    String listen,
    Integer seconds,
    Path input,
    Path output,
    Integer slowSink) {

  private static final long WARM_UP_NANOS = 3_000_000_000L;

  /** Returns the delay before the first memory reading. A short run has a shorter warm-up. */
  long warmUpNanos() {
    return seconds == null ? WARM_UP_NANOS : Math.min(WARM_UP_NANOS, seconds * 500_000_000L);
  }

  /** Returns whether source and sink run on two hosts, which share no clock. */
  boolean remoteSource() {
    return listen != null;
  }

  List<String> stageArguments(String sinkAddress) {
    String at = remoteSource() ? listen : network.ownAddress("demo-stage");
    return with(List.of("demo-stage", "--listen", at, "--connect", sinkAddress));
  }

  List<String> sourceArguments(String stageAddress) {
    List<String> arguments = with(List.of("demo-source", "--connect", stageAddress));
    if (seconds != null) {
      arguments.addAll(List.of("--seconds", seconds.toString()));
    }
    if (input != null) {
      arguments.addAll(List.of("--input", input.toAbsolutePath().toString()));
    }
    if (slowSink != null) {
      arguments.add("--flood");
    }
    return arguments;
  }

  private List<String> with(List<String> arguments) {
    List<String> all = new ArrayList<>(arguments);
    all.addAll(network.secrecy().arguments());
    return all;
  }
}
