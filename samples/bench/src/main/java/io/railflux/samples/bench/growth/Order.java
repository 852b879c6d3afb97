package io.railflux.samples.bench.growth;

import io.railflux.Route;
import io.railflux.message.Codecs;

/**
 * What the near side asks of the far one.
 *
 * @param round tells the streams and nodes of one order from those of another
 * @param count of streams or nodes
 * @param sizeBytes of every message
 * @param rails of each node to the hub
 */
record Order(Task task, int round, int count, int sizeBytes, int rails, Slow slow) {

  static final Route<Order, Answer> ROUTE =
      new Route<>("growth.order", Codecs.record(Order.class), Codecs.record(Answer.class));

  /** What went wrong with the last {@link Task#CONNECT} or {@link Task#STORM}, for people. */
  static final Route<Boolean, String> TROUBLE =
      new Route<>("growth.trouble", Codecs.bool(), Codecs.utf8());

  /**
   * Streams that are read slowly, the first ones of an order.
   *
   * @param perSecond messages that are read of each
   */
  record Slow(int streams, int perSecond) {

    static final Slow NONE = new Slow(0, 0);
  }

  enum Task {
    /** Receive streams of the hub. */
    RECEIVE,
    /** What was received, and the memory of the process. */
    TELL,
    /** Connect more nodes to the hub, a few at a time. */
    CONNECT,
    /** The same, all at once. */
    STORM,
    /** All of those nodes send a stream. */
    SEND_ALL,
    /** They end it. */
    STOP_ALL,
    /** All of them receive one. */
    RECEIVE_ALL,
    /** They leave. */
    DISCONNECT
  }

  /**
   * Only what the order asked for.
   *
   * @param misplaced messages that did not carry the number expected next
   */
  record Answer(long received, long misplaced, MemoryFigures memory, Crossing crossing) {

    static final Answer DONE = new Answer(0, 0, MemoryFigures.NONE, Crossing.NONE);

    static Answer of(Crossing crossing) {
      return new Answer(0, 0, MemoryFigures.NONE, crossing);
    }
  }

  /** How long nodes took to connect; the percentiles are of those that did. */
  record Crossing(
      int failed, double allMillis, double p50Millis, double p99Millis, double maxMillis) {

    static final Crossing NONE = new Crossing(0, 0, 0, 0, 0);
  }

  static Order of(Task task, int round, int count) {
    return new Order(task, round, count, Traffic.SMALL_BYTES, 1, Slow.NONE);
  }

  static Order receive(int round, int count, int sizeBytes, Slow slow) {
    return new Order(Task.RECEIVE, round, count, sizeBytes, 1, slow);
  }

  /** The nodes connect a few at a time. */
  static Order connect(int round, int count, int rails) {
    return new Order(Task.CONNECT, round, count, Traffic.SMALL_BYTES, rails, Slow.NONE);
  }

  static String stream(int round, int number) {
    return "growth." + round + "." + number;
  }

  /** What the names of the nodes begin with that one order connects. */
  static String crowd(int round) {
    return "crowd-" + round + "-";
  }
}
