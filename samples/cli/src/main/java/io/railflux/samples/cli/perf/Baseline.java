package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.measure.SocketMode;
import java.util.List;

/** The minimum that carries the same messages between the same processes, for comparison. */
interface Baseline extends Measurement {

  /** Returns the name in a report. */
  String name();

  /**
   * Returns the baselines of the session's fabric. The first one is the reference. The list is empty if its tool is not
   * installed.
   */
  static List<Baseline> of(Session session) {
    return switch (session.plan().fabric()) {
      case "shm" -> List.of(new RawRun(session));
      case "tcp" ->
        List.of(
            new SocketRun(session, SocketMode.SPINNING),
            new SocketRun(session, SocketMode.BLOCKING));
      default ->
        Perftest.Tool.of(session.plan().workload()).installed()
            ? List.of(new PerftestRun(session))
            : List.of();
    };
  }
}
