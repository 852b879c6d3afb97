package io.railflux.pipeline;

/**
 * Source of values for {@link SlotSource#fill}, and its results. Any method of source and codec may throw or end the
 * stream. Engine thread only.
 */
public abstract class Filling<T> {

  /** No further value is taken: the stream is over, or source or codec send. The subclass sets it as well. */
  boolean interrupted;

  /** How the filling of a frame ended. */
  enum End {
    /** The frame, the turn or the demand has no room for another value, or the stream is over. */
    FULL,
    /** The source has no further value. */
    EXHAUSTED,
    /** A value was taken and not added. */
    LEFT,
    /** The source failed, or the codec of the value that is left. */
    FAILED
  }

  private End end = End.FULL;
  private T left;
  private int leftMaxBytes;
  private Throwable failure;
  private boolean refused;

  /** Creates an empty result. */
  protected Filling() {}

  /** Returns the next value, or null without any. */
  public abstract T next();

  /** Whether the stream has ended, so that no value is added. */
  public abstract boolean isOver();

  /** Whether no further value is taken: the stream is over, or source or codec send. */
  public final boolean isInterrupted() {
    return interrupted;
  }

  /**
   * Source or codec send by the same path, which would have to wait for the frame and the turn of the stream; from
   * then on no frame is filled.
   */
  public final void refuse() {
    refused = true;
    interrupted = true;
  }

  /** Whether {@link #refuse} was called, for this frame or an earlier one. */
  public final boolean isRefused() {
    return refused;
  }

  /** The source is exhausted. */
  public final void exhaust() {
    end = End.EXHAUSTED;
  }

  /** Notes the largest size of the value that is about to be left. */
  public final void needs(int maxBytes) {
    leftMaxBytes = maxBytes;
  }

  /**
   * Notes a value that was taken and not added: it does not fit, has metadata or a time to live, its codec failed, or
   * the stream is over.
   *
   * @param value null without such a value
   */
  public final void leave(T value) {
    if (value != null) {
      left = value;
      end = End.LEFT;
    }
  }

  /** Notes the failure of the codec, or of the source if no value is left. */
  public final void fail(Throwable reason) {
    failure = reason;
    end = End.FAILED;
  }

  /** Resets the result before a frame is filled. */
  final void clear() {
    left = null;
    failure = null;
    end = End.FULL;
    interrupted = false;
  }

  /** Returns the value that was left and forgets it; null without one. */
  final T takeLeft() {
    T value = left;
    left = null;
    return value;
  }

  /** Largest size of the value that was left, unless its codec failed or the stream is over. */
  final int leftMaxBytes() {
    return leftMaxBytes;
  }

  /** Null without a failure. */
  final Throwable failure() {
    return failure;
  }

  final End result() {
    return end;
  }
}
