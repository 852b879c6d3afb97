package io.railflux.engine.stream;

/**
 * The messages that the remote subscriber requested, and the values requested from the source. Positions are numbers of
 * messages, from the first message of the stream; they may wrap. Engine thread only.
 */
final class SourceDemand {

  /** Maximum number of values requested upstream beyond those sent. */
  static final int PREFETCH = 256;

  private final long first;
  private long demanded;
  private boolean unbounded;

  // Requested values, and the expired values among them.
  private long requested;
  private long expired;

  SourceDemand(long first) {
    this.first = first;
    this.demanded = first;
  }

  /** Raises the remote demand to {@code position}. Older positions have no effect. */
  void raise(long position, boolean withoutBound) {
    if (withoutBound) {
      unbounded = true;
    } else if (position - demanded > 0) {
      demanded = position;
    }
  }

  /** Returns the number of requested messages from {@code next}. */
  long open(long next) {
    return unbounded ? Long.MAX_VALUE : demanded - next;
  }

  /** Returns the number of values that the source produced when {@code next} is the next message. */
  long produced(long next) {
    return next - first + expired;
  }

  /** Returns the number of requested values that the source has not produced yet. */
  long outstanding(long next) {
    return requested - produced(next);
  }

  /** Returns the number of values to request from the source. */
  long wanted(long next) {
    return Math.min(PREFETCH, open(next)) - outstanding(next);
  }

  void requested(long values) {
    requested += values;
  }

  /** Counts a value that expired unsent. Returns the number of values produced before it. */
  long expire(long next) {
    long before = produced(next);
    expired++;
    return before;
  }
}
