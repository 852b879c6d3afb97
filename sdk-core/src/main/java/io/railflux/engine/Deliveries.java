package io.railflux.engine;

/**
 * How much of one stream the peer has, told in its order: what goes through the ring is counted in frames, one of
 * which may be the end of the stream; large messages are acknowledged one by one. Engine thread only, but that others may
 * read {@link #acknowledged} for people.
 */
final class Deliveries {

  private long acknowledged;
  private long ringFrames;
  private long largeSent;
  private boolean endFrameSent;

  /** Null as long as no message was large. */
  private AcknowledgedPrefix order;

  /** Messages acknowledged so far, without a gap. */
  long acknowledged() {
    return acknowledged;
  }

  /** Large messages that are not over. */
  int largeOpen() {
    return order == null ? 0 : order.open();
  }

  /** Large messages that are not acknowledged, or behind something that is not. */
  int largeWaiting() {
    return order == null ? 0 : order.waiting();
  }

  /** @param index how many messages were sent before it */
  void largeSent(long index) {
    if (order == null) {
      order = new AcknowledgedPrefix();
    }
    order.sent(index);
    largeSent++;
  }

  /** A large message is over, acknowledged or not. */
  void largeOver(long index, boolean arrived) {
    order.over(index, arrived);
  }

  /** The end goes in a frame of its own; the mark LAST of a message needs none. */
  void endFrameSent() {
    endFrameSent = true;
  }

  void ringAcknowledged(int frames) {
    ringFrames += frames;
  }

  /**
   * Counts what is acknowledged now.
   *
   * @param sent messages of the stream so far
   * @return how many more messages than before
   */
  long advance(long sent) {
    long others = sent - largeSent;
    long ofRing = endFrameSent ? Math.min(ringFrames, others) : ringFrames;
    return advanceTo(order == null ? ofRing : order.length(ofRing));
  }

  /** The peer had those, by its own word; returns how many more than before, none when it is behind. */
  long advanceTo(long length) {
    long more = Math.max(0, length - acknowledged);
    acknowledged += more;
    return more;
  }

  /** Whether all messages, and the frame of the end if there was one, are acknowledged. */
  boolean isComplete(long sent) {
    return acknowledged == sent && ringFrames == sent - largeSent + (endFrameSent ? 1 : 0);
  }
}
