package io.railflux.pipeline;

/** Receives the outcome of the messages of a stream. Engine thread only; one terminal signal. */
public interface DeliverySink {

  /** {@code messages} further messages are in the memory of the peer, in order. */
  void onAcknowledged(long messages);

  /** The time to live of a message elapsed before it was sent. */
  void onExpired(long index);

  /** All messages and the end are acknowledged. */
  void onCompleted();

  /** The stream failed. */
  void onFailed(Throwable error);
}
