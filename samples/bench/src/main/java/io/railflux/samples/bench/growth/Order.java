package io.railflux.samples.bench.growth;

import io.railflux.Route;
import io.railflux.message.Codecs;

/**
 * An order of the near side to the far side.
 * @param round distinguishes the streams and nodes of different orders
 * @param count of streams or nodes
 * @param sizeBytes of every message
 * @param rails of each node to the hub
 */
record Order(Task task, int round, int count, int sizeBytes, int rails, Slow slow) {

  static final Route<Order, Answer> ROUTE =
      new Route<>("growth.order", Codecs.record(Order.class), Codecs.record(Answer.class));

  /** Describes the failures of the last {@link Task#CONNECT} or {@link Task#STORM}. */
  static final Route<Boolean, String> TROUBLE =
      new Route<>("growth.trouble", Codecs.bool(), Codecs.utf8());

  /**
   * Streams with slow readers, which are the first ones of an order.
   * @param perSecond rate of the reader of each stream
   */
  record Slow(int streams, int perSecond) {

    static final Slow NONE = new Slow(0, 0);
  }

  enum Task {
    /** Receive streams of the hub. */
    RECEIVE,
    /** Report the received messages and the memory of the process. */
    REPORT,
    /** Connect further nodes to the hub, a few at a time. */
    CONNECT,
    /** Connect further nodes to the hub, all at once. */
    STORM,
    /** Send a stream from each of these nodes. */
    SEND_ALL,
    /** End these streams. */
    STOP_ALL,
    /** Receive a stream at each of these nodes. */
    RECEIVE_ALL,
    /** Disconnect these nodes. */
    DISCONNECT
  }

  /**
   * The answer to an order. Unrequested parts are absent.
   * @param misplaced messages with an unexpected number
   */
  record Answer(long received, long misplaced, MemoryFigures memory, Crossing crossing) {

    static final Answer DONE = new Answer(0, 0, MemoryFigures.NONE, Crossing.NONE);

    static Answer of(Crossing crossing) {
      return new Answer(0, 0, MemoryFigures.NONE, crossing);
    }
  }

  /** The time that nodes took to connect. The percentiles include successful attempts only. */
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

  /** Returns an order that connects nodes a few at a time. */
  static Order connect(int round, int count, int rails) {
    return new Order(Task.CONNECT, round, count, Traffic.SMALL_BYTES, rails, Slow.NONE);
  }

  static String stream(int round, int number) {
    return "growth." + round + "." + number;
  }

  /** Returns the prefix of the names of the nodes that one order connects. */
  static String crowd(int round) {
    return "crowd-" + round + "-";
  }
}
