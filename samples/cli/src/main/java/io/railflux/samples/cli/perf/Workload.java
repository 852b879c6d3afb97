package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.shell.ByName;
import java.util.Locale;

/** The measured workload. */
enum Workload {
  /** Ping-pong through two streams, with one message in flight. */
  LATENCY(64, true),
  /** As latency, with a pause after each round trip in which both sides sleep. A timer of the node ends the pause. */
  WAKE_UP(64, false),
  /** As wake-up. A thread of the application ends the pause. */
  WAKE_UP_RELAYED(64, false),
  /** One way at full rate. */
  THROUGHPUT(64, true),
  /** One way with large messages. */
  BANDWIDTH(64 << 10, true),
  /** Request and reply, one outstanding. */
  REQUEST(64, true),
  /** An unbounded producer and a consumer that requests 1,000 messages per second. */
  SLOW_CONSUMER(64, false),
  /** A connected idle pair. */
  IDLE(64, false),
  /** Round trips at a fixed rate, from the first message of two new processes on. */
  COLD(64, false);

  private final int defaultSizeBytes;
  private final boolean comparable;

  Workload(int defaultSizeBytes, boolean comparable) {
    this.defaultSizeBytes = defaultSizeBytes;
    this.comparable = comparable;
  }

  int defaultSizeBytes() {
    return defaultSizeBytes;
  }

  int defaultSeconds() {
    return this == COLD ? 20 : 5;
  }

  /** Returns whether a baseline exists. */
  boolean comparable() {
    return comparable;
  }

  /** Returns whether both sides sleep between messages. */
  boolean sleeps() {
    return this == WAKE_UP || this == WAKE_UP_RELAYED;
  }

  /** Returns whether the result is a time per message. Otherwise it is a rate. */
  boolean roundTrip() {
    return this == LATENCY || this == REQUEST || sleeps();
  }

  /** Converts the name of a value. */
  static final class Reader extends ByName<Workload> {

    Reader() {
      super("workload", values());
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
