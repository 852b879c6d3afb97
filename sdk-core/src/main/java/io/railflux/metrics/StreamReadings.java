package io.railflux.metrics;

/** Values of the meters of a stream. Any thread may read them; they may lag behind. Counts never decrease. */
public interface StreamReadings {

  /**
   * Returns the name of the stream.
   *
   * @return value of the tag {@code stream}
   */
  String streamName();

  /**
   * Returns the direction of the stream.
   *
   * @return {@code sent} or {@code received}
   */
  String direction();

  /**
   * Returns the number of messages.
   *
   * @return count
   */
  long messages();

  /**
   * Returns the encoded bytes.
   *
   * @return count in bytes
   */
  long bytes();

  /**
   * Returns the number of messages known to be in the memory of the receiving side.
   *
   * @return count
   */
  long acknowledged();

  /**
   * Returns the open demand.
   *
   * @return number of messages; {@link Long#MAX_VALUE} without bound
   */
  long openDemand();
}
