package io.railflux.samples.cli.perf;

import io.railflux.Route;
import io.railflux.message.Codecs;

/**
 * What the measuring side asks of the far one before each round.
 *
 * @param round tells the streams of one round from those of another
 * @param sizeBytes of every message
 * @param perSecond rate of the slow consumer
 * @param rawOwner process that made the file of the bare ring
 */
record Order(Task task, int round, int sizeBytes, int perSecond, long rawOwner) {

  static final Route<Order, Boolean> ROUTE =
      new Route<>("perf.order", Codecs.record(Order.class), Codecs.bool());

  enum Task {
    COUNT,
    ECHO,
    PACE,
    RAW_COUNT,
    RAW_ECHO
  }

  String out() {
    return "perf.out." + round;
  }

  String back() {
    return "perf.back." + round;
  }
}
