package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.measure.BareSocket;
import io.railflux.samples.cli.measure.Sample;
import io.railflux.samples.cli.measure.SocketMode;
import io.railflux.samples.cli.measure.SocketRounds;
import io.railflux.samples.cli.shell.CommandFailure;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.scheduler.Schedulers;

/** Bare sockets between the same two processes, with the same messages. */
final class SocketRun implements Baseline {

  private static final long STUCK_NANOS = 10_000_000_000L;

  private final Session session;
  private final SocketMode mode;
  private final boolean roundTrip;

  SocketRun(Session session, SocketMode mode) {
    this.session = session;
    this.mode = mode;
    this.roundTrip = session.plan().workload().roundTrip();
  }

  @Override
  public String name() {
    return "bare " + mode + " socket";
  }

  @Override
  public Sample run(int round, long nanos) {
    int port = session.order(Order.Task.of(mode, roundTrip), round, 0);
    try (SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(session.farHost(), port))) {
      mode.configure(channel);
      Disposable stuck = Schedulers.parallel()
          .schedule(() -> giveUp(channel), nanos + STUCK_NANOS, TimeUnit.NANOSECONDS);
      try {
        BareSocket socket =
            new BareSocket(channel, session.plan().sizeBytes(), session.plan().work());
        return roundTrip
            ? SocketRounds.roundTrips(socket, nanos)
            : SocketRounds.oneWay(socket, session.plan().sizeBytes(), nanos);
      } finally {
        stuck.dispose();
      }
    } catch (IOException e) {
      throw session.explained(
          new CommandFailure("the " + name() + " to the far process failed: " + e, e));
    }
  }

  private static void giveUp(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // The next use reports the failure.
    }
  }
}
