package io.railflux.engine;

import java.nio.ByteBuffer;

/**
 * The unacknowledged frames of a peer, oldest first, as runs: most frames follow one of the same stream on
 * the same rail, and then a frame costs a count instead of references in old memory. Engine thread only.
 */
final class FrameRuns {

  /** Frames with consecutive numbers that one stream sent over one subchannel. */
  static final class Run {

    private OutboundStream owner;
    private Subchannel carrier;
    private ByteBuffer memory;
    private long first;
    private int count;

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
  private Run newest = new Run();

  private static Run[] filled(Run[] places, int from) {
    for (int i = from; i < places.length; i++) {
      places[i] = new Run();
    }
    return places;
  }

  /** The next frame; {@code owner} may be null: nobody wants to hear of it. */
  void add(OutboundStream owner, Subchannel carrier, ByteBuffer memory, long psn) {
    Run run = newest;
    if (run.count > 0 && run.owner == owner && run.carrier == carrier && run.memory == memory) {
      run.count++;
    } else {
      begin(owner, carrier, memory, psn);
    }
  }

  private void begin(OutboundStream owner, Subchannel carrier, ByteBuffer memory, long psn) {
    if (tail - head == runs.length) {
      grow();
    }
    Run run = at(tail++);
    run.owner = owner;
    run.carrier = carrier;
    run.memory = memory;
    run.first = psn;
    run.count = 1;
    newest = run;
  }

  private Run at(int position) {
    return runs[position & runs.length - 1];
  }

  /** The oldest {@code count} frames are acknowledged: tells each run's owner once. */
  void acknowledge(int count) {
    int left = count;
    while (left > 0) {
      Run run = at(head);
      OutboundStream owner = run.owner;
      int told = Math.min(left, run.count);
      run.first += told;
      run.count -= told;
      if (run.count == 0) {
        run.clear();
        head++;
      }
      left -= told;
      // Last: the owner may send more.
      if (owner != null) {
        owner.onAcknowledged(told);
      }
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
  boolean areIn(ByteBuffer memory) {
    for (int i = head; i != tail; i++) {
      if (at(i).memory == memory) {
        return true;
      }
    }
    return false;
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
