package io.railflux.engine;

import java.util.ArrayDeque;

/**
 * Merges the streams of one peer byte-fair: deficit round robin, so that a stream of large messages
 * and one of small ones get the same share; a message counts its bytes and a slot. Engine thread only.
 */
final class ByteFairMerge {

  /** Bytes a stream may send before the next one has its turn. */
  static final int QUANTUM_BYTES = 128 << 10;

  private final ArrayDeque<OutboundStream> ready = new ArrayDeque<>();
  private final ArrayDeque<OutboundStream> readyForLarge = new ArrayDeque<>();

  // The only stream that waits, if it used up its last turn; else null.
  private OutboundStream bulk;
  private int cyclesWithoutTurn;

  void add(OutboundStream stream) {
    ready.add(stream);
  }

  /** It found no room in its turn, which it goes on with before anybody else has one. */
  void addFirst(OutboundStream stream) {
    ready.addFirst(stream);
  }

  /** There may be memory for its large message, which needs no room: it does not wait for those that do. */
  void addForLarge(OutboundStream stream) {
    readyForLarge.add(stream);
  }

  /**
   * One cycle's turns: one of every waiting stream. A stream that is the only one, and used up its turn before, takes
   * part in the rotation of peers. Returns how many got anywhere; one that waits for its place in the rotation counts, as
   * the next cycle is due at once.
   */
  int drain(BulkRotation rotation) {
    int turns = isBulkAlone() ? rotation.turns() : 1;
    if (++cyclesWithoutTurn < turns) {
      rotation.count();
      return 1;
    }
    cyclesWithoutTurn = 0;
    int progressed = turnOfEach();
    for (int turn = 1; turn < turns && isBulkAlone() && bulk.deficitBytes <= 0; turn++) {
      progressed += turnOfEach();
    }
    noteBulk(rotation);
    return progressed;
  }

  private void noteBulk(BulkRotation rotation) {
    if (!isAlone() || ready.peek().deficitBytes > 0) {
      bulk = null;
      return;
    }
    if (!isBulkAlone()) {
      bulk = ready.peek();
      cyclesWithoutTurn = rotation.place();
    }
    rotation.count();
  }

  private boolean isAlone() {
    return ready.size() == 1 && readyForLarge.isEmpty();
  }

  private boolean isBulkAlone() {
    return isAlone() && ready.peek().equals(bulk);
  }

  /**
   * Gives every waiting stream one turn as long as there is room; returns how many got anywhere. Were
   * a stream without room passed over, shares would follow from whose messages happen to fit.
   */
  private int turnOfEach() {
    int progressed = 0;
    for (int turns = readyForLarge.size(); turns > 0; turns--) {
      if (readyForLarge.poll().turnForLarge()) {
        progressed++;
      }
    }
    boolean room = true;
    for (int turns = ready.size(); room && turns > 0; turns--) {
      OutboundStream stream = ready.poll();
      if (stream.turn()) {
        progressed++;
      }
      room = !stream.keepsTurn();
    }
    return progressed;
  }

  /**
   * Whether that stream has the next turn, not for want of room in its last one, may send something in it, and nobody
   * else waits for any.
   */
  boolean isAlone(OutboundStream stream) {
    return isAlone()
        && ready.peek().equals(stream)
        && !stream.keepsTurn()
        && stream.deficitBytes + QUANTUM_BYTES > 0;
  }

  boolean isEmpty() {
    return ready.isEmpty() && readyForLarge.isEmpty();
  }
}
