package io.railflux.samples.cli.netlab;

import io.railflux.Route;
import io.railflux.message.Codecs;

/**
 * An order of the near host to the far host. Times refer to the machine's monotonic clock, which both hosts share.
 * @param stream number of the stream, never reused
 * @param sizeBytes of every message
 */
record Order(Task task, int stream, int sizeBytes, Span span) {

  static final Route<Order, Answer> ROUTE =
      new Route<>("netlab.order", Codecs.record(Order.class), Codecs.record(Answer.class));

  static String name(int stream) {
    return "netlab." + stream;
  }

  enum Task {
    /** Receive a stream. */
    RECEIVE,
    /** Send a stream. */
    SEND,
    /** End the stream that is sent. */
    STOP,
    /** Report the tally and the pace of the received stream. */
    REPORT
  }

  /**
   * @param bytesPerSecond rate whose first time is reported
   */
  record Span(long fromNanos, long toNanos, double bytesPerSecond) {

    static final Span NONE = new Span(0, 0, 0);
  }

  static Order of(Task task, int stream, int sizeBytes) {
    return new Order(task, stream, sizeBytes, Span.NONE);
  }

  /** The answer to an order. Unrequested parts are absent. */
  record Answer(Tally tally, Pace pace) {

    static final Answer DONE = new Answer(Tally.NONE, Pace.NONE);
  }

  /**
   * The received messages of a stream, classified by number and checksum.
   * @param lost missing numbers below the highest received one
   * @param damaged messages with a wrong checksum, which are not counted as received
   */
  record Tally(long received, long lost, long duplicated, long reordered, long damaged) {

    static final Tally NONE = new Tally(0, 0, 0, 0, 0);

    Tally plus(Tally other) {
      return new Tally(
          received + other.received,
          lost + other.lost,
          duplicated + other.duplicated,
          reordered + other.reordered,
          damaged + other.damaged);
    }

    /** Returns a tally that counts sent messages without arrival as lost. */
    Tally of(long sent) {
      return new Tally(received, sent - received + duplicated, duplicated, reordered, damaged);
    }
  }

  /**
   * The pace within a span.
   * @param bytesPerSecond between the first and the last message of the span
   * @param longestGapNanos between two messages, or between a message and an end of the span
   * @param reachedNanos start of the first second with the requested rate; -1 if none
   */
  record Pace(double bytesPerSecond, long longestGapNanos, long reachedNanos) {

    static final Pace NONE = new Pace(0, 0, -1);
  }
}
