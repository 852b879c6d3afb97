package io.railflux.samples.cli.netlab;

import io.railflux.Route;
import io.railflux.message.Codecs;

/**
 * What the near host asks of the far one. Times are of the machine's monotonic clock, which both hosts share.
 *
 * @param stream the number of the one it is about, never used again
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
    /** Send one. */
    SEND,
    /** End what is sent. */
    STOP,
    /** What came of the stream that is received, and what of that in the span. */
    TELL
  }

  /**
   * @param bytesPerSecond tell when this rate was reached
   */
  record Span(long fromNanos, long toNanos, double bytesPerSecond) {

    static final Span NONE = new Span(0, 0, 0);
  }

  static Order of(Task task, int stream, int sizeBytes) {
    return new Order(task, stream, sizeBytes, Span.NONE);
  }

  /** Only what the order asked for. */
  record Answer(Tally tally, Pace pace) {

    static final Answer DONE = new Answer(Tally.NONE, Pace.NONE);
  }

  /**
   * What of a stream came, by the numbers and checksums of its messages.
   *
   * @param lost numbers that did not come though later ones did
   * @param damaged whose checksum was wrong, received neither
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

    /** Those that were sent and never came are lost, too. */
    Tally of(long sent) {
      return new Tally(received, sent - received + duplicated, duplicated, reordered, damaged);
    }
  }

  /**
   * How fast it came within a span.
   *
   * @param bytesPerSecond between the first and the last message in it
   * @param longestGapNanos between two messages, or one and an end of the span
   * @param reachedNanos from when on a second brought the rate that was asked for; -1 never
   */
  record Pace(double bytesPerSecond, long longestGapNanos, long reachedNanos) {

    static final Pace NONE = new Pace(0, 0, -1);
  }
}
