package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.measure.RawFile;
import io.railflux.samples.cli.measure.RingRounds;
import io.railflux.samples.cli.measure.Sample;

/** Bare rings between the same two processes, with the same messages. */
final class RawRun implements Baseline {

  private final Session session;
  private final boolean roundTrip;

  RawRun(Session session) {
    this.session = session;
    this.roundTrip = session.plan().workload().roundTrip();
  }

  @Override
  public String name() {
    return "bare ring";
  }

  @Override
  public Sample run(int round, long nanos) {
    long owner = ProcessHandle.current().pid();
    RawFile.Pair rings =
        RawFile.create(owner, round, session.plan().sizeBytes(), session.plan().work());
    try {
      session.order(roundTrip ? Order.Task.RAW_ECHO : Order.Task.RAW_COUNT, round, 0);
    } finally {
      RawFile.unlink(owner, round);
    }
    return roundTrip
        ? RingRounds.roundTrips(rings, nanos)
        : RingRounds.oneWay(rings.out(), session.plan().sizeBytes(), nanos);
  }
}
