package io.railflux.samples.cli.measure;

import java.io.IOException;
import java.util.function.LongUnaryOperator;
import org.HdrHistogram.Histogram;

/** The loops of two threads over a bare socket. */
public final class SocketRounds {

  private SocketRounds() {}

  /** Sends as many messages as possible within a time. Ends when the far side has reported its count. */
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

  /** Keeps one message in flight and sends the next one immediately. */
  public static Sample roundTrips(BareSocket socket, long nanos) throws IOException {
    return roundTrips(socket, nanos, now -> now);
  }

  /**
   * Keeps one message in flight. {@code due} waits until the next message is due and returns the time; its argument is
   * the current time.
   */
  public static Sample roundTrips(BareSocket socket, long nanos, LongUnaryOperator due)
      throws IOException {
    Histogram times = Sample.histogram();
    // The far side may still initialize until the first reply.
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
      throw new IOException("received another message instead");
    }
  }

  /** Far side of {@link #oneWay}. */
  public static void count(BareSocket socket) throws IOException {
    socket.sendCount(socket.receiveAll());
  }

  /** Far side of {@link #roundTrips}. Ends with an exception at the end of input. */
  public static void echo(BareSocket socket) throws IOException {
    while (true) {
      socket.send(socket.receive());
    }
  }
}
