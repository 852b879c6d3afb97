package io.railflux.samples.cli.demo;

import io.railflux.samples.cli.shell.CommandFailure;
import io.railflux.samples.cli.shell.Fabrics;
import io.railflux.samples.cli.shell.Json;
import io.railflux.samples.cli.shell.Secrecy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Host telemetry and a file through three processes, verified end to end. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Streams this host's telemetry, and a file, through three processes.",
    footer = {
      "",
      "A source sends readings of CPU, memory, disks, networks and processes to a stage, which",
      "passes them on and sums up each second; this process is the sink. The telemetry ends after",
      "--seconds, or with the file if only --input is given. A file is always sent to its end.",
      "Counts, order and checksums of source and sink are compared; with --output, cmp(1) of the",
      "two files proves the same."
    })
public final class DemoCommand implements Callable<Integer> {

  private static final int DEFAULT_SECONDS = 10;

  @Option(names = "--seconds", description = "Telemetry for that long; default 10 without --input.")
  private Integer seconds;

  @Option(names = "--fabric", defaultValue = "auto", description = "shm or auto; default auto.")
  private String fabric;

  @Option(names = "--input", paramLabel = "FILE", description = "Any file, sent line by line.")
  private Path input;

  @Option(names = "--output", paramLabel = "FILE", description = "What the sink received of it.")
  private Path output;

  @Option(
      names = "--slow-sink",
      paramLabel = "RATE",
      description = "The sink asks for RATE messages a second, the source offers any number.")
  private Integer slowSink;

  @Mixin
  private Secrecy secrecy;

  @Option(names = "--json", description = "Print one line of JSON.")
  private boolean json;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    check();
    Integer bound = seconds == null && input == null ? Integer.valueOf(DEFAULT_SECONDS) : seconds;
    DemoPlan plan = new DemoPlan(concrete(), bound, input, output, slowSink, secrecy);
    PrintWriter out = spec.commandLine().getOut();
    Summary summary = new Demo(plan, json ? null : out).run();
    if (json) {
      out.println(Json.line(summary.result()));
    } else {
      summary.print(out, plan);
    }
    out.flush();
    if (!summary.result().flawless()) {
      throw new CommandFailure("what the sink received is not what the source sent");
    }
    return 0;
  }

  private String concrete() {
    return Fabrics.require(fabric).name();
  }

  private void check() throws IOException {
    if (seconds != null && (seconds < 1 || seconds > 86_400)) {
      throw wrong("--seconds must be 1 to 86400, was " + seconds);
    }
    if (slowSink != null && (slowSink < 1 || slowSink > 1_000_000)) {
      throw wrong("--slow-sink must be 1 to 1000000 messages a second, was " + slowSink);
    }
    if (output != null && input == null) {
      throw wrong("--output needs --input, whose copy it is");
    }
    if (input != null && input.toString().isEmpty()) {
      throw wrong("--input needs the name of a file");
    }
    if (input != null && (!Files.isReadable(input) || Files.isDirectory(input))) {
      throw new CommandFailure("cannot read " + input + ": "
          + (Files.isDirectory(input)
              ? "it is a directory"
              : Files.exists(input) ? "no permission" : "no such file")
          + "; name a file that can be read");
    }
    if (output != null && Files.exists(output) && Files.isSameFile(input, output)) {
      throw wrong("--output must not be the file of --input");
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
