package io.railflux.metrics;

/** What the meters of a stream read, from any thread; values may be a moment old. */
public interface StreamReadings {

  String streamName();

  /** {@code sent} or {@code received}. */
  String direction();

  long messages();

  long bytes();

  /** Messages known to be in the memory of the receiving side. */
  long acknowledged();

  /** Open demand; {@link Long#MAX_VALUE} without bound. */
  long openDemand();
}
