package io.railflux.engine;

import java.nio.ByteBuffer;

/**
 * The unacknowledged frames of a peer, oldest first, as runs: most frames follow one of the same stream on
 * the same rail, and then a frame costs a look instead of references in old memory. Engine thread only.
 */
final class FrameRuns {

  /** Frames with consecutive numbers that one stream sent over one subchannel, up to the next run. */
  static final class Run {

    private OutboundStream owner;
    private Subchannel carrier;
    private ByteBuffer memory;
    private long first;
    private int itemsBefore;

    /** First sent over this one; {@link SendWindow} knows of replays. */
    Subchannel carrier() {
      return carrier;
    }

    /** Where their bytes are. */
    ByteBuffer memory() {
      return memory;
    }

    private void clear() {
      owner = null;
      carrier = null;
      memory = null;
    }
  }

  // A ring; positions only grow and may wrap.
  private Run[] runs = filled(new Run[16], 0);
  private int head;
  private int tail;

  // Of the newest run, which goes on as long as these do; no memory: there is none.
  private OutboundStream owner;
  private Subchannel carrier;
  private ByteBuffer memory;

  private static Run[] filled(Run[] places, int from) {
    for (int i = from; i < places.length; i++) {
      places[i] = new Run();
    }
    return places;
  }

  /** The next frame; {@code newOwner} may be null: nobody wants to hear of it. */
  void add(
      OutboundStream newOwner,
      Subchannel newCarrier,
      ByteBuffer newMemory,
      long psn,
      int itemsBefore) {
    if (newOwner != owner || newCarrier != carrier || newMemory != memory) {
      Run run = begin(newOwner, newCarrier, newMemory);
      run.first = psn;
      run.itemsBefore = itemsBefore;
    }
  }

  private Run begin(OutboundStream newOwner, Subchannel newCarrier, ByteBuffer newMemory) {
    if (tail - head == runs.length) {
      grow();
    }
    Run run = at(tail++);
    run.owner = newOwner;
    run.carrier = newCarrier;
    run.memory = newMemory;
    owner = newOwner;
    carrier = newCarrier;
    memory = newMemory;
    return run;
  }

  private Run at(int position) {
    return runs[position & runs.length - 1];
  }

  /**
   * Tells the owner of the oldest run what of it is before {@code psn}, and thus acknowledged.
   *
   * @param items of all frames before {@code psn}
   * @param next the number after the newest frame
   * @param recordedItems items of all frames before that
   * @return whether there may be more to tell
   */
  boolean acknowledge(long psn, int items, long next, int recordedItems) {
    if (head == tail) {
      return false;
    }
    Run run = at(head);
    boolean newest = head + 1 == tail;
    long end = newest ? next : at(head + 1).first;
    boolean whole = end - psn <= 0;
    int itemsOfAll = newest ? recordedItems : at(head + 1).itemsBefore;
    int upTo = whole ? itemsOfAll : items;
    int told = upTo - run.itemsBefore;
    run.first = whole ? end : psn;
    run.itemsBefore = upTo;
    OutboundStream hearer = run.owner;
    if (whole) {
      leave(run);
    }
    // Last: the owner may send more.
    if (hearer != null && told > 0) {
      hearer.onAcknowledged(told);
    }
    return whole;
  }

  private void leave(Run run) {
    run.clear();
    head++;
    if (head == tail) {
      owner = null;
      carrier = null;
      memory = null;
    }
  }

  /** The run of an unacknowledged frame. */
  Run find(long psn) {
    int low = 0;
    int high = tail - head - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (psn - at(head + middle).first >= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return at(head + low);
  }

  /** Whether bytes of unacknowledged frames are in that memory. */
  boolean areIn(ByteBuffer someMemory) {
    for (int i = head; i != tail; i++) {
      if (at(i).memory == someMemory) {
        return true;
      }
    }
    return false;
  }

  /** The same for all of them. */
  boolean areOnlyIn(ByteBuffer someMemory) {
    for (int i = head; i != tail; i++) {
      if (at(i).memory != someMemory) {
        return false;
      }
    }
    return true;
  }

  /** The bytes of all unacknowledged frames are there now. */
  void moved(ByteBuffer newMemory) {
    for (int i = head; i != tail; i++) {
      at(i).memory = newMemory;
    }
    memory = head == tail ? null : newMemory;
  }

  private void grow() {
    Run[] larger = new Run[2 * runs.length];
    for (int i = 0; i < runs.length; i++) {
      larger[i] = at(head + i);
    }
    tail = runs.length;
    head = 0;
    runs = filled(larger, tail);
  }
}
