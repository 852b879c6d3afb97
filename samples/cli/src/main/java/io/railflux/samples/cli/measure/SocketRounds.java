package io.railflux.samples.cli.measure;

import java.io.IOException;
import java.util.function.LongUnaryOperator;
import org.HdrHistogram.Histogram;

/** What two threads do with a bare socket. */
public final class SocketRounds {

  private SocketRounds() {}

  /** As many as go in that time; it ends when the far side has told how many it received. */
  public static Sample oneWay(BareSocket socket, int sizeBytes, long nanos) throws IOException {
    int clockMask = Pace.clockMask(sizeBytes);
    long begun = System.nanoTime();
    long number = 0;
    while ((number & clockMask) != 0 || System.nanoTime() - begun < nanos) {
      socket.gather(number++);
    }
    socket.endOutput();
    long received = socket.awaitCount();
    if (received != number) {
      throw new IOException(received + " of " + number + " messages arrived");
    }
    return new Sample(number, System.nanoTime() - begun, Sample.histogram());
  }

  /** One message under way, the next as soon as it is back. */
  public static Sample roundTrips(BareSocket socket, long nanos) throws IOException {
    return roundTrips(socket, nanos, now -> now);
  }

  /** One message under way, the next when it is due, which {@code due} waits for and tells, given the time. */
  public static Sample roundTrips(BareSocket socket, long nanos, LongUnaryOperator due)
      throws IOException {
    Histogram times = Sample.histogram();
    // Until it is back the far side may be setting up what it needs.
    exchange(socket, 0);
    long begun = System.nanoTime();
    long now = begun;
    for (long number = 1; now - begun < nanos; number++) {
      long served = due.applyAsLong(now);
      exchange(socket, number);
      now = System.nanoTime();
      Sample.record(times, now - served);
    }
    socket.endOutput();
    return new Sample(times.getTotalCount(), now - begun, times);
  }

  private static void exchange(BareSocket socket, long number) throws IOException {
    socket.send(number);
    if (socket.receive() != number) {
      throw new IOException("another message came back");
    }
  }

  /** Far side of {@link #oneWay}. */
  public static void count(BareSocket socket) throws IOException {
    socket.sendCount(socket.receiveAll());
  }

  /** Far side of {@link #roundTrips}. Ends with the end of input, by an exception. */
  public static void echo(BareSocket socket) throws IOException {
    while (true) {
      socket.send(socket.receive());
    }
  }
}
