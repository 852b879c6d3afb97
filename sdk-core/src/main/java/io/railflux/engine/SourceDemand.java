package io.railflux.engine;

/**
 * How many messages the far subscriber asked for, and how many values the source was asked for. Positions are numbers of
 * messages, from the first of the stream on; they may wrap. Engine thread only.
 */
final class SourceDemand {

  /** Requested upstream at most, beyond what is sent. */
  static final int PREFETCH = 256;

  private final long first;
  private long demanded;
  private boolean unbounded;

  // Values, and of those the ones that were not worth sending.
  private long requested;
  private long expired;

  SourceDemand(long first) {
    this.first = first;
    this.demanded = first;
  }

  /** The far subscriber asked for messages up to {@code position}; older positions change nothing. */
  void raise(long position, boolean withoutBound) {
    if (withoutBound) {
      unbounded = true;
    } else if (position - demanded > 0) {
      demanded = position;
    }
  }

  /** Messages asked for, from {@code next} on. */
  long open(long next) {
    return unbounded ? Long.MAX_VALUE : demanded - next;
  }

  /** Values the source produced, when {@code next} is to be sent next. */
  long produced(long next) {
    return next - first + expired;
  }

  /** Values the source was asked for and has not produced yet. */
  long outstanding(long next) {
    return requested - produced(next);
  }

  /** Values to ask the source for. */
  long wanted(long next) {
    return Math.min(PREFETCH, open(next)) - outstanding(next);
  }

  void requested(long values) {
    requested += values;
  }

  /** A value was not worth sending; returns how many were produced before it. */
  long expire(long next) {
    long before = produced(next);
    expired++;
    return before;
  }
}
