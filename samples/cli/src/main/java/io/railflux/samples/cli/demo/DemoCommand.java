package io.railflux.samples.cli.demo;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.exceptions.PeerUnreachableException;
import io.railflux.samples.cli.shell.CommandFailure;
import io.railflux.samples.cli.shell.FabricOptions;
import io.railflux.samples.cli.shell.Interruption;
import io.railflux.samples.cli.shell.Json;
import io.railflux.samples.cli.shell.Network;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Streams host telemetry and a file through three processes, verified end to end. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Streams telemetry of this host, and a file, through three processes.",
    footer = {
      "",
      "A source sends readings of CPU, memory, disks, networks and processes to a stage. "
          + "The stage forwards them with a summary per second to this process, the sink. The "
          + "telemetry ends after --seconds, or with the file if only --input is given. A regular "
          + "file is sent to its end; other inputs, such as devices and pipes, are read for "
          + "--seconds. The demo compares counts, order and checksums of source and sink. With "
          + "--output, cmp(1) of both files confirms the result.",
      "",
      "Between two hosts, demo --listen HOST:PORT runs stage and sink, with --output and "
          + "--slow-sink. demo --connect HOST:PORT runs the source, with --input and --seconds. "
          + "Both print the same result."
    })
public final class DemoCommand implements Callable<Integer> {

  private static final int DEFAULT_SECONDS = 10;
  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(20);
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(8);

  @Option(
      names = "--seconds",
      description = "Duration of the telemetry; default 10 without --input.")
  private Integer seconds;

  @Mixin
  private FabricOptions fabric;

  @Option(
      names = "--input",
      paramLabel = "FILE",
      description = "File to send by lines, or by pieces of 32 KiB if lines are longer.")
  private Path input;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "Copy of the input that the sink writes.")
  private Path output;

  @Option(
      names = "--slow-sink",
      paramLabel = "RATE",
      description = "Demand of the sink in messages per second; the source has no limit.")
  private Integer slowSink;

  @Option(names = "--json", description = "Prints one line of JSON.")
  private boolean json;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    check();
    PrintWriter out = spec.commandLine().getOut();
    Summary summary = fabric.connect() == null ? sink(out) : source();
    if (json) {
      out.println(Json.line(summary.result()));
    } else {
      summary.print(out, proof());
    }
    out.flush();
    String objection = summary.result().objection(input != null);
    if (objection != null) {
      throw new CommandFailure(objection);
    }
    return 0;
  }

  private Integer bound() {
    return seconds == null && input == null ? Integer.valueOf(DEFAULT_SECONDS) : seconds;
  }

  private Summary sink(PrintWriter out) {
    Network network = fabric.network();
    String listen = fabric.listen();
    DemoPlan plan = new DemoPlan(
        listen == null ? network : network.local(),
        network.fabric(),
        listen,
        bound(),
        input,
        output,
        slowSink);
    return new Demo(plan, out, json).run();
  }

  private Summary source() {
    Node node = fabric.network().node("demo-source").start().block();
    try {
      EventSource events = new EventSource(bound(), input, false);
      Peer stage = node.connect(fabric.connect()).block(CONNECT_WITHIN);
      return Summary.of(run(new SourceRun(events), stage, events.tally()));
    } catch (PeerUnreachableException e) {
      throw new CommandFailure(e.getMessage() + " (start the other side first: demo --listen)", e);
    } finally {
      node.close().timeout(CLOSE_WITHIN).onErrorComplete().block();
    }
  }

  private DemoResult run(SourceRun run, Peer stage, Tally sent) {
    long begun = System.nanoTime();
    Interruption interruption = Interruption.reporting(() -> {
      double time = (System.nanoTime() - begun) / 1e9;
      PartialResult.ofSource(fabric.network().fabric(), time, sent.total().count())
          .print(spec.commandLine().getOut(), json);
    });
    try {
      return run.run(stage);
    } finally {
      interruption.close();
    }
  }

  /** Returns the command by which users compare the files. */
  private String proof() {
    if (output != null && input != null) {
      return "cmp " + input + " " + output;
    }
    if (output != null) {
      return "sha256sum " + output + " here, and of the --input file on the other host";
    }
    return fabric.connect() != null && input != null
        ? "sha256sum " + input + " here, and of the --output file on the other host"
        : null;
  }

  private void check() throws IOException {
    fabric.checkOneSide();
    checkSides();
    if (seconds != null && (seconds < 1 || seconds > 86_400)) {
      throw wrong("--seconds must be 1 to 86400, was " + seconds);
    }
    if (slowSink != null && (slowSink < 1 || slowSink > 1_000_000)) {
      throw wrong("--slow-sink must be 1 to 1000000 messages a second, was " + slowSink);
    }
    checkFiles();
  }

  private void checkSides() {
    if (fabric.listen() != null && (input != null || seconds != null)) {
      throw wrong("--input and --seconds belong to the other side, that of --connect");
    }
    if (fabric.connect() != null && (output != null || slowSink != null)) {
      throw wrong("--output and --slow-sink belong to the other side, that of --listen");
    }
    boolean alone = fabric.listen() == null && fabric.connect() == null;
    if (alone && output != null && input == null) {
      throw wrong("--output needs --input, the file to copy");
    }
  }

  private void checkFiles() throws IOException {
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
    if (input != null && !Files.isRegularFile(input) && seconds == null) {
      throw wrong(
          "--input " + input + " is no regular file, so it may have no end; add --seconds N to send"
              + " its content for N seconds, or name a regular file");
    }
    if (input != null
        && output != null
        && Files.exists(output)
        && Files.isSameFile(input, output)) {
      throw wrong("--output must not be the file of --input");
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
