package io.railflux.pipeline;

/**
 * Values that a frame is filled with, and what {@link SlotSource#fill} left for who has them. Of source and codec any
 * method may throw, and end this stream. Engine thread only.
 */
public abstract class Filling<T> {

  /** Taken, but not added: it does not fit, has metadata or a time to live, its codec failed, or the stream is over. */
  public T left;

  /** What that may take, unless it failed or the stream is over. */
  public int leftMaxBytes;

  /** Of the codec, or of the source if nothing is {@link #left}; null when nothing failed. */
  public Throwable failure;

  /** The source has no more. */
  public boolean ended;

  /**
   * Source or codec send, too, by the same path, which would have to wait for the frame and the stream's turn each time:
   * from then on nothing is filled.
   */
  public boolean sends;

  /** No other value is taken: the stream is over, or one of these sends. */
  public boolean interrupted;

  /** Nothing yet. */
  protected Filling() {}

  /** The next value, or null when there are none. */
  public abstract T next();

  /** Whether the stream ended meanwhile, so that it is interrupted: nothing more is added. */
  public abstract boolean isOver();

  /** As before a frame is filled. */
  final void clear() {
    left = null;
    failure = null;
    ended = false;
    interrupted = false;
  }
}
