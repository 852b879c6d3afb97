package io.railflux.engine.send;

import io.railflux.policy.Marker;

/**
 * The stream whose messages a frame carries, as the send path sees it. Engine thread only. Each call may come from
 * within another call of the send path.
 */
public interface FrameOwner {

  /** The number of the stream. */
  long id();

  Marker marker();

  /** The number of the next message. */
  long nextSeq();

  /** Whether another message may follow at once and share the frame. */
  boolean mayContinue();

  /** Whether to prefetch the lines of a mapped ring for the next messages. */
  boolean fetchesLines();

  /**
   * Messages were added to a frame.
   *
   * @param messages number of messages
   * @param bytes their cost in the stream's turn
   */
  void sent(int messages, long bytes);

  /** The stream's source sent a message of another stream, which ends the turn. */
  void endTurn();

  /** The stream's source or codec failed; the frame that was being filled is counted. */
  void onError(Throwable reason);

  /**
   * The peer acknowledged {@code items} more items: each message, and the end frame, is one item. Calls come in
   * order.
   */
  void onAcknowledged(int items);

  /** The frame that ends the stream was written. */
  void endSent();
}
