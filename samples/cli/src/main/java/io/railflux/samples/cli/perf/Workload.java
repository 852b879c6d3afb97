package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.shell.ByName;
import java.util.Locale;

/** What is measured. */
enum Workload {
  /** Ping-pong through two streams, one message under way. */
  LATENCY(64, true),
  /** The same with a pause after each, in which both sides fall asleep; the node's own timer ends it. */
  WAKE_UP(64, false),
  /** A thread of the application ends it. */
  WAKE_UP_RELAYED(64, false),
  /** One way, as fast as it goes. */
  THROUGHPUT(64, true),
  /** One way with large messages. */
  BANDWIDTH(64 << 10, true),
  /** Request and reply, one outstanding. */
  REQUEST(64, true),
  /** An unbounded producer and a consumer that asks for 1,000 messages a second. */
  SLOW_CONSUMER(64, false),
  /** A connected pair that does nothing. */
  IDLE(64, false);

  private final int defaultSizeBytes;
  private final boolean comparable;

  Workload(int defaultSizeBytes, boolean comparable) {
    this.defaultSizeBytes = defaultSizeBytes;
    this.comparable = comparable;
  }

  int defaultSizeBytes() {
    return defaultSizeBytes;
  }

  /** Whether a bare ring can do the same. */
  boolean comparable() {
    return comparable;
  }

  /** Whether both sides fall asleep between messages. */
  boolean sleeps() {
    return this == WAKE_UP || this == WAKE_UP_RELAYED;
  }

  /** Whether the result is a time per message; else it is a rate. */
  boolean roundTrip() {
    return this == LATENCY || this == REQUEST || sleeps();
  }

  /** Reads the name as it is written. */
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
