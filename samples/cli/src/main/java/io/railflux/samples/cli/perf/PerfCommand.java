package io.railflux.samples.cli.perf;

import io.railflux.Node;
import io.railflux.samples.cli.measure.Payload;
import io.railflux.samples.cli.measure.RawRing;
import io.railflux.samples.cli.measure.Sample;
import io.railflux.samples.cli.measure.Work;
import io.railflux.samples.cli.shell.FabricOptions;
import io.railflux.samples.cli.shell.Interruption;
import io.railflux.samples.cli.shell.Lifeline;
import io.railflux.samples.cli.shell.Listening;
import io.railflux.samples.cli.shell.Network;
import io.railflux.samples.cli.stat.StatService;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures streams between two processes. */
@Command(
    name = "perf",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Measures streams between two processes, optionally beside the bare medium.",
    footer = {
      "",
      "perf starts a second process unless --listen or --connect names one. Both warm up in "
          + "4 rounds of 5 s, or of a quarter of --seconds if that is shorter. Rates are medians "
          + "of 3 rounds, or of 5 rounds from 10 s on. p99 and p999 avoid coordinated omission: a "
          + "pause counts for every message that was due in it. CPU time and allocated bytes are "
          + "sums over both processes. The workload wake-up sends by a timer of the node, "
          + "wake-up-relayed by a thread of the application, 2 ms after each reply.",
      "",
      "The workload cold measures both processes from their start on, without a warm-up: the time "
          + "until the first message has returned, and by the second p50, p99 and maximum of the "
          + "round trip and the processor time of compilers, collector and engines. 10,000 "
          + "messages are due per second; the time of each begins when it is due. With --listen "
          + "and --connect both sides need --workload cold, and the listening side a new process."
    })
public final class PerfCommand implements Callable<Integer> {

  @Mixin
  private FabricOptions fabric;

  @Option(
      names = "--workload",
      defaultValue = "latency",
      converter = Workload.Reader.class,
      description = "${COMPLETION-CANDIDATES}; default latency.")
  private Workload workload;

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      description = "Size of a message, 8 to 1073741824; default 64, for bandwidth 65536.")
  private Integer sizeBytes;

  @Option(names = "--seconds", description = "Duration of the measurement; default 5, for cold 20.")
  private Integer seconds;

  @Option(
      names = "--work",
      defaultValue = "touch",
      converter = Work.Reader.class,
      description =
          "Work of the receivers per message: touch reads a word of each cache line, checksum "
              + "verifies all of it; default touch. Receivers of the bare medium do the same, except perftest.")
  private Work work;

  @Option(
      names = "--raw",
      description =
          "Alternates with the bare medium between the same processes: a single-producer ring over "
              + "shm, spinning and blocking sockets over tcp, perftest over verbs and disni.")
  private boolean raw;

  @Option(names = "--json", description = "Prints one line of JSON.")
  private boolean json;

  @Option(
      names = "--percentiles",
      description = "Also prints p90, p99.99 and the maximum, without coordinated omission.")
  private boolean percentiles;

  @Option(names = "--lifeline", hidden = true)
  private boolean lifeline;

  @Spec
  private CommandSpec spec;

  /** Completed rounds. A signal may end the command at any time. */
  private volatile List<Sample> running = List.of();

  @Override
  public Integer call() {
    int size = sizeBytes == null ? workload.defaultSizeBytes() : sizeBytes;
    fabric.checkOneSide();
    int duration = seconds == null ? workload.defaultSeconds() : seconds;
    Plan plan = new Plan(fabric.network(), workload, size, duration, work, raw, percentiles);
    check(plan);
    if (fabric.listen() != null) {
      serve(plan);
    } else {
      measure(plan);
    }
    return 0;
  }

  private void check(Plan plan) {
    if (plan.sizeBytes() < Payload.MIN_BYTES || plan.sizeBytes() > Plan.MAX_SIZE_BYTES) {
      throw wrong("--size must be 8 to 1073741824, was " + plan.sizeBytes());
    }
    if (plan.seconds() < 1 || plan.seconds() > 3600) {
      throw wrong("--seconds must be 1 to 3600, was " + plan.seconds());
    }
    if (raw && !workload.comparable()) {
      throw wrong("--raw has no baseline for workload " + workload);
    }
    if (raw && plan.fabric().equals("shm") && plan.sizeBytes() > RawRing.MAX_SIZE_BYTES) {
      throw wrong("--raw over shm is limited to --size " + RawRing.MAX_SIZE_BYTES);
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private void serve(Plan plan) {
    Node node = plan.node(Session.FAR_NODE).start().block();
    if (lifeline) {
      Lifeline.watch(node);
    }
    var served = new Agent(node, plan, Network.host(fabric.listen())).serve();
    StatService.serve(node);
    String address = Network.bind(node, fabric.listen());
    Listening.announce(spec.commandLine().getOut(), address);
    served.block();
    node.close().onErrorComplete().block(Duration.ofSeconds(10));
  }

  @SuppressWarnings("try") // The resource is only closed.
  private void measure(Plan plan) {
    Report report = new Report(spec.commandLine().getOut(), json);
    try (Interruption interruption = Interruption.reporting(() -> interrupted(plan, report))) {
      report.begin(plan);
      measure(plan, report);
    }
  }

  private void measure(Plan plan, Report report) {
    String address = fabric.connect();
    try (Session session =
        address == null ? Session.withOwnPeer(plan) : Session.connect(plan, address, null)) {
      if (lifeline) {
        session.endWithParent();
      }
      if (workload == Workload.COLD) {
        report.cold(cold(session));
      } else {
        report.result(result(session, report));
      }
    }
  }

  private ColdResult cold(Session session) {
    Cold cold = new Cold(session);
    running = cold.seconds;
    return cold.measure();
  }

  private void interrupted(Plan plan, Report report) {
    report.interrupted(PartialResult.of(plan, running));
  }

  private PerfResult result(Session session, Report report) {
    return switch (session.plan().workload()) {
      case IDLE -> Idle.measure(session);
      case SLOW_CONSUMER -> slowConsumer(session, report);
      case LATENCY, WAKE_UP, WAKE_UP_RELAYED -> rounds(session, new PingPong(session), report);
      case REQUEST -> rounds(session, new Requests(session), report);
      case THROUGHPUT, BANDWIDTH -> rounds(session, new OneWay(session), report);
      case COLD -> throw new IllegalStateException("not measured in rounds");
    };
  }

  private PerfResult rounds(Session session, Measurement measurement, Report report) {
    Rounds rounds = new Rounds(session);
    running = rounds.ours;
    rounds.run(measurement);
    if (session.plan().raw() && rounds.baselines().isEmpty()) {
      report.say("not compared: " + Perftest.Tool.of(session.plan().workload()).absence());
    }
    report.rounds(rounds, session.plan().workload().roundTrip());
    return PerfResult.of(session, rounds);
  }

  private static PerfResult slowConsumer(Session session, Report report) {
    SlowConsumer.Outcome outcome = new SlowConsumer(session).run();
    report.say(outcome.text());
    return PerfResult.unmeasured(session, outcome.sample().count()).withRate(outcome.sample());
  }
}
