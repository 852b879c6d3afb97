package io.railflux.samples.cli.demo;

import io.railflux.samples.cli.shell.Secrecy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the demo was asked to do.
 *
 * @param seconds of telemetry; null: until the file ends
 * @param slowSink messages a second the sink asks for; null: all there are
 * @param secrecy what all three processes know
 */
record DemoPlan(
    String fabric, Integer seconds, Path input, Path output, Integer slowSink, Secrecy secrecy) {

  private static final long WARM_UP_NANOS = 3_000_000_000L;

  private static String name(String role) {
    return "railflux-demo-" + ProcessHandle.current().pid() + "-" + role;
  }

  static String sinkName() {
    return name("sink");
  }

  /** When memory is looked at for the first time; a short run has less to warm up for. */
  long warmUpNanos() {
    return seconds == null ? WARM_UP_NANOS : Math.min(WARM_UP_NANOS, seconds * 500_000_000L);
  }

  List<String> stageArguments() {
    List<String> arguments = new ArrayList<>(List.of(
        "demo-stage", "--fabric", fabric, "--listen", name("stage"), "--connect", sinkName()));
    arguments.addAll(secrecy.arguments());
    return arguments;
  }

  List<String> sourceArguments() {
    List<String> arguments =
        new ArrayList<>(List.of("demo-source", "--fabric", fabric, "--connect", name("stage")));
    arguments.addAll(secrecy.arguments());
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
}
