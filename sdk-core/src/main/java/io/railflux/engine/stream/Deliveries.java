package io.railflux.engine.stream;

import java.util.ArrayDeque;

/**
 * Tracks how much of one stream the peer has received, in the order of the stream. Messages through the ring are
 * counted in frames, one of which may be the end of the stream. Large messages are acknowledged individually. Engine
 * thread only, except that any thread may read {@link #acknowledged} for messages.
 */
final class Deliveries {

  private long acknowledged;
  private long ringFrames;
  private long largeSent;
  private boolean endFrameSent;

  /** Null until the first large message. */
  private AcknowledgedPrefix order;

  /** Returns the number of messages acknowledged without a gap. */
  long acknowledged() {
    return acknowledged;
  }

  /** Returns the number of large messages that are not over. */
  int largeOpen() {
    return order == null ? 0 : order.open();
  }

  /** Returns the number of large messages that are unacknowledged, or behind an unacknowledged message. */
  int largeWaiting() {
    return order == null ? 0 : order.waiting();
  }

  /** @param index number of messages sent before the message */
  void largeSent(long index) {
    if (order == null) {
      order = new AcknowledgedPrefix();
    }
    order.sent(index);
    largeSent++;
  }

  /** Handles the end of a large message, acknowledged or not. */
  void largeOver(long index, boolean arrived) {
    order.over(index, arrived);
  }

  /** Notes that the end was sent in a frame of its own. A message with the flag LAST needs no such frame. */
  void endFrameSent() {
    endFrameSent = true;
  }

  void ringAcknowledged(int frames) {
    ringFrames += frames;
  }

  /**
   * Counts new acknowledgements.
   *
   * @param sent number of messages of the stream so far
   * @return the number of newly acknowledged messages
   */
  long advance(long sent) {
    long others = sent - largeSent;
    long ofRing = endFrameSent ? Math.min(ringFrames, others) : ringFrames;
    return advanceTo(order == null ? ofRing : order.length(ofRing));
  }

  /**
   * Applies the peer's report that it has {@code length} messages. Returns the number of newly acknowledged messages; 0
   * if the report is outdated.
   */
  long advanceTo(long length) {
    long more = Math.max(0, length - acknowledged);
    acknowledged += more;
    return more;
  }

  /** Returns whether all messages, and the frame of the end if any, are acknowledged. */
  boolean isComplete(long sent) {
    return acknowledged == sent && ringFrames == sent - largeSent + (endFrameSent ? 1 : 0);
  }

  /**
   * Determines the length of the gapless acknowledged prefix of a stream. Large messages and ring messages are
   * acknowledged separately. Engine thread only.
   */
  public static final class AcknowledgedPrefix {

    private static final class Large {
      private final long index;
      private boolean acknowledged;

      Large(long index) {
        this.index = index;
      }
    }

    // In order of the stream. The first message may be unacknowledged.
    private final ArrayDeque<Large> large = new ArrayDeque<>();
    private long passed;
    private int open;

    /**
     * Records that a large message was sent.
     *
     * @param index number of messages sent before the message
     */
    public void sent(long index) {
      large.add(new Large(index));
      open++;
    }

    /** Returns the number of large messages that are unacknowledged, or behind an unacknowledged large message. */
    public int waiting() {
      return large.size();
    }

    /** Returns the number of large messages that are not over. */
    public int open() {
      return open;
    }

    /** Handles the end of a message, acknowledged or not. */
    public void over(long index, boolean acknowledged) {
      open--;
      for (Large each : large) {
        if (each.index == index) {
          each.acknowledged = acknowledged;
        }
      }
    }

    /**
     * Returns the number of messages acknowledged without a gap.
     *
     * @param others number of acknowledged ring messages
     */
    public long length(long others) {
      Large first = large.peek();
      while (first != null && first.acknowledged && others + passed >= first.index) {
        large.poll();
        passed++;
        first = large.peek();
      }
      return first == null ? others + passed : Math.min(others + passed, first.index);
    }
  }
}
