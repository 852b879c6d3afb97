package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.shell.CommandFailure;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
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
    int port = session.order(roundTrip ? mode.echo() : mode.count(), round, 0);
    try (SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(session.farHost(), port))) {
      mode.configure(channel);
      Disposable stuck = Schedulers.parallel()
          .schedule(() -> giveUp(channel), nanos + STUCK_NANOS, TimeUnit.NANOSECONDS);
      try {
        BareSocket socket = new BareSocket(channel, session.plan().sizeBytes());
        return roundTrip ? pingPong(socket, nanos) : oneWay(socket, nanos);
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
      // Whoever uses it hears of it.
    }
  }

  private Sample oneWay(BareSocket socket, long nanos) throws IOException {
    long begun = System.nanoTime();
    int between = Production.clockEvery(session.plan().sizeBytes());
    long number = 0;
    while (number % between != 0 || System.nanoTime() - begun < nanos) {
      socket.gather(number++);
    }
    socket.endOutput();
    long received = socket.awaitCount();
    if (received != number) {
      throw new IOException(received + " of " + number + " messages arrived");
    }
    return new Sample(number, System.nanoTime() - begun, Sample.histogram());
  }

  private static Sample pingPong(BareSocket socket, long nanos) throws IOException {
    Histogram times = Sample.histogram();
    long begun = System.nanoTime();
    long now = begun;
    for (long number = 0; now - begun < nanos; number++) {
      long served = now;
      socket.send(number);
      if (socket.receive(true) != number) {
        throw new IOException("another message came back");
      }
      now = System.nanoTime();
      Sample.record(times, now - served);
    }
    socket.endOutput();
    return new Sample(times.getTotalCount(), now - begun, times);
  }
}
