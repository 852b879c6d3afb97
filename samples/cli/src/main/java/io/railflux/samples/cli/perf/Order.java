package io.railflux.samples.cli.perf;

import io.railflux.Route;
import io.railflux.message.Codecs;
import io.railflux.samples.cli.measure.SocketMode;
import io.railflux.samples.cli.measure.Work;

/**
 * An order of the measuring side to the far side before each round.
 * @param round distinguishes the streams of different rounds
 * @param sizeBytes of every message
 * @param perSecond rate of the slow consumer
 * @param rawOwner process that created the file of the bare ring
 * @param work of the receiver
 */
record Order(Task task, int round, int sizeBytes, int perSecond, long rawOwner, Work work) {

  /** The answer is the port of a bare socket, or 0. */
  static final Route<Order, Integer> ROUTE =
      new Route<>("perf.order", Codecs.record(Order.class), Codecs.int32());

  enum Task {
    COUNT,
    ECHO,
    PACE,
    RAW_COUNT,
    RAW_ECHO,
    SPINNING_COUNT,
    SPINNING_ECHO,
    BLOCKING_COUNT,
    BLOCKING_ECHO,
    PERFTEST_LATENCY,
    PERFTEST_BANDWIDTH;

    /** Returns the task of the far side of a bare socket. */
    static Task of(SocketMode mode, boolean roundTrip) {
      return switch (mode) {
        case SPINNING -> roundTrip ? SPINNING_ECHO : SPINNING_COUNT;
        case BLOCKING -> roundTrip ? BLOCKING_ECHO : BLOCKING_COUNT;
      };
    }
  }

  String out() {
    return "perf.out." + round;
  }

  String back() {
    return "perf.back." + round;
  }
}
