package io.railflux.engine.send;

import io.railflux.engine.path.Subchannel;
import java.nio.ByteBuffer;

/**
 * The unacknowledged frames of a peer, oldest first, as runs. Most frames follow a frame of the same stream on the
 * same rail. Such a frame costs a comparison instead of references in old memory. Engine thread only.
 */
final class FrameRuns {

  /** Frames with consecutive numbers that one stream sent over one subchannel, up to the next run. */
  static final class Run {

    private FrameOwner owner;
    private Subchannel carrier;
    private ByteBuffer memory;
    private long first;
    private int itemsBefore;

    /** The subchannel of the first transmission; {@link SendWindow} records replays. */
    Subchannel carrier() {
      return carrier;
    }

    /** Memory of the frames. */
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

  // Attributes of the newest run, which continues while they match; without memory there is no run.
  private FrameOwner owner;
  private Subchannel carrier;
  private ByteBuffer memory;

  private static Run[] filled(Run[] places, int from) {
    for (int i = from; i < places.length; i++) {
      places[i] = new Run();
    }
    return places;
  }

  /** Adds the next frame; {@code newOwner} is null if no stream awaits its acknowledgement. */
  void add(
      FrameOwner newOwner, Subchannel newCarrier, ByteBuffer newMemory, long psn, int itemsBefore) {
    if (newOwner != owner || newCarrier != carrier || newMemory != memory) {
      Run run = begin(newOwner, newCarrier, newMemory);
      run.first = psn;
      run.itemsBefore = itemsBefore;
    }
  }

  /** Drops all frames. */
  void end() {
    runs = filled(new Run[16], 0);
    head = 0;
    tail = 0;
    owner = null;
    carrier = null;
    memory = null;
  }

  private Run begin(FrameOwner newOwner, Subchannel newCarrier, ByteBuffer newMemory) {
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
   * Reports to the owner of the oldest run its frames before {@code psn}, which are acknowledged.
   *
   * @param items items of all frames before {@code psn}
   * @param next number after the newest frame
   * @param recordedItems items of all frames before {@code next}
   * @return whether another run may have acknowledged frames
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
    int acknowledged = upTo - run.itemsBefore;
    run.first = whole ? end : psn;
    run.itemsBefore = upTo;
    FrameOwner notified = run.owner;
    if (whole) {
      leave(run);
    }
    // Last, because the owner may send more frames.
    if (notified != null && acknowledged > 0) {
      notified.onAcknowledged(acknowledged);
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

  /** Returns the run of an unacknowledged frame. */
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

  /** Whether the memory holds any unacknowledged frame. */
  boolean areIn(ByteBuffer someMemory) {
    for (int i = head; i != tail; i++) {
      if (at(i).memory == someMemory) {
        return true;
      }
    }
    return false;
  }

  /** Whether the memory holds all unacknowledged frames. */
  boolean areOnlyIn(ByteBuffer someMemory) {
    for (int i = head; i != tail; i++) {
      if (at(i).memory != someMemory) {
        return false;
      }
    }
    return true;
  }

  /** All unacknowledged frames moved to the memory. */
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
