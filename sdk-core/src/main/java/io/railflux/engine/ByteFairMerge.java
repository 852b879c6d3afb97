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

  // Streams at the head of the queue that used up their turn, and go on at the peer's place in
  // the rotation; those behind them came since.
  private int waiting;
  private boolean inRotation;
  private int grantedTurns = 1;

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
   * One cycle's turns. Streams that used theirs up wait for the peer's place in the rotation, and then have as many as
   * were granted; all others have one at once. Returns how many got anywhere; that some wait for their place counts, as
   * the next cycle is due at once.
   */
  int drain(BulkRotation rotation) {
    int progressed = turnsForLarge();
    if (inRotation) {
      int someWait = waiting > 0 ? 1 : 0;
      return progressed + turnsOfNewcomers() + someWait;
    }
    int rounds = grantedTurns;
    grantedTurns = 1;
    do {
      waiting = 0;
      progressed += turns(ready.size());
    } while (--rounds > 0 && waiting > 0);
    if (waiting > 0) {
      inRotation = true;
      rotation.add(this);
    }
    return progressed;
  }

  /** The peer's place in the rotation has come. */
  void grant(int turns) {
    inRotation = false;
    grantedTurns = turns;
  }

  private int turnsForLarge() {
    int progressed = 0;
    for (int turns = readyForLarge.size(); turns > 0; turns--) {
      if (readyForLarge.poll().turnForLarge()) {
        progressed++;
      }
    }
    return progressed;
  }

  private int turnsOfNewcomers() {
    int newcomers = ready.size() - waiting;
    if (newcomers == 0) {
      return 0;
    }
    for (int i = 0; i < waiting; i++) {
      ready.add(ready.poll());
    }
    return turns(newcomers);
  }

  /**
   * Gives so many streams one turn each as long as there is room; returns how many got anywhere. Were
   * a stream without room passed over, shares would follow from whose messages happen to fit.
   */
  private int turns(int count) {
    int progressed = 0;
    boolean room = true;
    for (int turns = count; room && turns > 0; turns--) {
      OutboundStream stream = ready.poll();
      if (stream.turn()) {
        progressed++;
      }
      room = !stream.keepsTurn();
      if (stream.queued && stream.deficitBytes <= 0) {
        waiting++;
      }
    }
    if (waiting != ready.size()) {
      // Somebody lacks room, or came meanwhile: all of them have a turn in the next cycle.
      waiting = 0;
    }
    return progressed;
  }

  /**
   * Whether that stream has the next turn, not for want of room in its last one, may send something in it, and nobody
   * else waits for any.
   */
  boolean isAlone(OutboundStream stream) {
    return ready.size() == 1
        && readyForLarge.isEmpty()
        && ready.peek().equals(stream)
        && !stream.keepsTurn()
        && stream.deficitBytes + QUANTUM_BYTES > 0;
  }

  boolean isEmpty() {
    return ready.isEmpty() && readyForLarge.isEmpty();
  }
}
