package io.railflux.engine.stream;

import io.railflux.engine.send.FrameOwner;
import java.util.ArrayDeque;

/**
 * Merges the streams of one peer byte-fairly by deficit round robin. A stream of large messages and a stream of small
 * messages get the same share. Each message costs its bytes and a slot. Engine thread only.
 */
public final class ByteFairMerge {

  /** Bytes that a stream may send before the next stream has its turn. */
  public static final int QUANTUM_BYTES = 128 << 10;

  /**
   * Place of a stream in the queue, whatever the state of the stream. Allowed transitions:
   *
   * <pre>
   *   ABSENT        --demand, or used up its turn-> QUEUED
   *   ABSENT        --lacked room in its turn-----> FIRST
   *   QUEUED, FIRST --turn------------------------> ABSENT
   *   FIRST         --turn for a large message----> QUEUED
   * </pre>
   */
  enum Place {
    ABSENT,
    QUEUED,
    /** Continues its turn before all other streams. Freed room belongs to the stream until it has had its share. */
    FIRST;

    boolean canBecome(Place next) {
      return switch (this) {
        case ABSENT -> next == QUEUED || next == FIRST;
        case QUEUED -> next == ABSENT;
        case FIRST -> next == ABSENT || next == QUEUED;
      };
    }
  }

  private final ArrayDeque<OutboundStream> ready = new ArrayDeque<>();
  private final ArrayDeque<OutboundStream> readyForLarge = new ArrayDeque<>();

  // Streams at the head of the queue that used up their turn. They continue when the peer's place
  // in the rotation comes. The streams behind them were added since.
  private int waiting;
  private boolean inRotation;
  private int grantedTurns = 1;

  void add(OutboundStream stream) {
    ready.add(stream);
  }

  /** Adds a stream that found no room in its turn. The stream continues its turn before any other stream. */
  void addFirst(OutboundStream stream) {
    ready.addFirst(stream);
  }

  /**
   * Adds a stream whose large message may find memory. It needs no ring room, so it does not wait for streams that do.
   */
  void addForLarge(OutboundStream stream) {
    readyForLarge.add(stream);
  }

  /**
   * Runs the turns of one cycle. Streams that used up their turn wait for the peer's place in the rotation and then get
   * the granted number of turns. All other streams get one turn immediately. Returns the number of streams that
   * progressed. Streams that wait for their place count, as the next cycle is due immediately.
   */
  int drain(Rotation rotation) {
    int progressed = turnsForLarge();
    if (inRotation) {
      int someWait = waiting > 0 ? 1 : 0;
      return progressed + turnsOfNewStreams() + someWait;
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

  /** Grants turns, as the peer's place in the rotation has come. */
  private void grant(int turns) {
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

  private int turnsOfNewStreams() {
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
   * Gives up to {@code count} streams one turn each while there is room. Returns the number of streams that progressed.
   * Streams without room are not skipped: otherwise message sizes would determine the shares.
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
      if (stream.isQueued() && stream.deficitBytes <= 0) {
        waiting++;
      }
    }
    if (waiting != ready.size()) {
      // A stream lacks room or was added meanwhile: all streams have a turn in the next cycle.
      waiting = 0;
    }
    return progressed;
  }

  /**
   * Returns whether the stream is the only waiting stream and may send in its next turn. A stream that lacked room in
   * its last turn does not count.
   */
  boolean isAlone(FrameOwner stream) {
    OutboundStream first = ready.peek();
    return ready.size() == 1
        && readyForLarge.isEmpty()
        && first == stream
        && !first.keepsTurn()
        && first.deficitBytes + QUANTUM_BYTES > 0;
  }

  boolean isEmpty() {
    return ready.isEmpty() && readyForLarge.isEmpty();
  }

  /**
   * Rotates the turns of peers when a node sends in bulk to more than four peers. Each cycle then serves a few peers
   * with four turns instead of one, and the other peers wait. Few large writes cost less than many small writes. A
   * cycle takes no longer than one turn of all peers, and less with more than 16 peers. All peers get the same share,
   * except peers without room. These are not part of the rotation and send as their readers make room. Engine thread
   * only.
   */
  public static final class Rotation {

    /** Maximum number of consecutive turns: 512 KiB of a stream. Eight turns showed no gain over four. */
    static final int MAX_TURNS = 4;

    /** Maximum number of peers that have turns in one cycle. Further peers do not prolong the cycle. */
    static final int MAX_PEERS = 4;

    private final ArrayDeque<ByteFairMerge> waiting = new ArrayDeque<>();

    /** Begins a cycle: grants turns to the peers whose place has come. */
    public void next() {
      if (allHaveTurnsInEachCycle()) {
        grant(waiting.size(), 1);
      } else {
        grant(Math.min(MAX_PEERS, waiting.size() / MAX_TURNS), MAX_TURNS);
      }
    }

    private void grant(int places, int turns) {
      for (int place = 0; place < places; place++) {
        waiting.poll().grant(turns);
      }
    }

    /** Adds a peer behind the waiting peers. */
    void add(ByteFairMerge peer) {
      waiting.add(peer);
    }

    /**
     * Returns whether all peers have turns in each cycle, so that messages may leave together with those of the next
     * cycle.
     */
    public boolean allHaveTurnsInEachCycle() {
      return waiting.size() <= MAX_PEERS;
    }
  }
}
