package io.railflux.engine;

import java.util.ArrayDeque;

/**
 * Merges the streams of one peer byte-fair: deficit round robin, so that a stream of large messages
 * and one of small ones get the same share of the ring. Engine thread only.
 */
final class ByteFairMerge {

  /** Bytes a stream may send before the next one has its turn. */
  static final int QUANTUM_BYTES = 64 << 10;

  private final ArrayDeque<OutboundStream> ready = new ArrayDeque<>();

  void add(OutboundStream stream) {
    ready.add(stream);
  }

  /** Gives every waiting stream one turn; returns how many got anywhere. */
  int drain() {
    int progressed = 0;
    for (int turns = ready.size(); turns > 0; turns--) {
      if (ready.poll().turn()) {
        progressed++;
      }
    }
    return progressed;
  }

  boolean isEmpty() {
    return ready.isEmpty();
  }
}
