package io.railflux.samples.cli.stat;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.samples.cli.shell.Json;
import io.railflux.samples.cli.shell.Network;
import io.railflux.samples.cli.shell.Secrecy;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the rails and streams of another process. */
@Command(
    name = "stat",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Shows the rails and streams of a running process of these samples at regular intervals.",
    footer = {
      "",
      "ADDRESS is the listening address of that process, as in perf --listen tcp:127.0.0.1:4711."
    })
public final class StatCommand implements Callable<Integer> {

  @Parameters(paramLabel = "ADDRESS", description = "fabric:location.")
  private String address;

  @Option(names = "--every", defaultValue = "1", description = "Interval in seconds; default 1.")
  private double every;

  @Option(
      names = "--times",
      defaultValue = "0",
      description = "Number of outputs; default 0 for no limit.")
  private long times;

  @Option(names = "--json", description = "Prints one line of JSON per interval.")
  private boolean json;

  @Mixin
  private Secrecy secrecy;

  @Spec
  private CommandSpec spec;

  /** Instantiated by picocli. */
  public StatCommand() {}

  @Override
  public Integer call() {
    boolean inRange = every >= 0.1 && every <= 60;
    if (!inRange || times < 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--every must be 0.1 to 60 and --times not negative, were " + every + " and " + times);
    }
    String fabric = address.substring(0, Math.max(0, address.indexOf(':')));
    Network network = new Network(List.of(fabric.isEmpty() ? "tcp" : fabric), secrecy);
    String name = StatService.ASKER + "-" + ProcessHandle.current().pid();
    Node node = network.node(name).start().block();
    try {
      Peer peer = Network.connect(node, address);
      show(peer);
      return 0;
    } finally {
      node.close().onErrorComplete().block(Duration.ofSeconds(10));
    }
  }

  private void show(Peer peer) {
    PrintWriter out = spec.commandLine().getOut();
    var lines = peer.requestStream(StatService.ROUTE, (int) (every * 1e3));
    for (String line : (times == 0 ? lines : lines.take(times)).toIterable(1)) {
      if (json) {
        out.println(line);
      } else {
        show(out, Json.parse(line, Snapshot.class));
      }
      out.flush();
    }
  }

  private static void show(PrintWriter out, Snapshot snapshot) {
    out.println(RailLine.HEADINGS);
    snapshot.rails().forEach(out::println);
    if (!snapshot.channels().isEmpty()) {
      out.println(ChannelLine.HEADINGS);
      snapshot.channels().forEach(out::println);
    }
    if (!snapshot.streams().isEmpty()) {
      out.println(StreamLine.HEADINGS);
      snapshot.streams().forEach(out::println);
    }
    snapshot.remarks().forEach(out::println);
    out.println();
  }
}
