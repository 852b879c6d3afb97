package io.railflux.pipeline;

/** Hears what became of a stream's messages. Engine thread only; one terminal signal. */
public interface DeliverySink {

  /** {@code messages} more are in the peer's memory, in order. */
  void onAcknowledged(long messages);

  /** The message of that index ran out of time before it was sent. */
  void onExpired(long index);

  /** Everything was acknowledged, the end included. */
  void onCompleted();

  /** The stream ended otherwise. */
  void onFailed(Throwable error);
}
