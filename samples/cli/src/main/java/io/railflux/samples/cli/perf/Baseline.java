package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.measure.SocketMode;
import java.util.List;

/** The least that carries the same messages between the same processes, to compare with. */
interface Baseline extends Measurement {

  /** How a report calls it. */
  String name();

  /** Those of the session's fabric; the first is the one that counts; none where its tool is missing. */
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
