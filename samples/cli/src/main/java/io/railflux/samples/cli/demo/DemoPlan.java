package io.railflux.samples.cli.demo;

import io.railflux.samples.cli.shell.Network;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the sink's side of the demo was asked to do.
 *
 * @param network of the sink; with {@code listen} only of the processes of this host
 * @param fabric of the source's stream
 * @param listen where a source of another host is awaited; null: it is started here
 * @param seconds of telemetry; null: until the file ends
 * @param slowSink messages a second the sink asks for; null: all there are
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

  /** When memory is looked at for the first time; a short run has less to warm up for. */
  long warmUpNanos() {
    return seconds == null ? WARM_UP_NANOS : Math.min(WARM_UP_NANOS, seconds * 500_000_000L);
  }

  /** Whether source and sink are on two hosts, and so do not share a clock. */
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
