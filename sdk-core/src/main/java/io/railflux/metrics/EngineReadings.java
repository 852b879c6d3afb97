package io.railflux.metrics;

/** Values of the meters of an engine. Any thread may read them; they may lag behind. Counts never decrease. */
public interface EngineReadings {

  /**
   * Returns the number of duty cycles.
   *
   * @return count since the start
   */
  long cycles();

  /**
   * Returns the number of duty cycles that did work.
   *
   * @return count since the start
   */
  long busyCycles();

  /**
   * Returns how often the engine thread went to sleep.
   *
   * @return count since the start
   */
  long sleeps();

  /**
   * Returns the number of abilities that the engine would use and its fabrics lack.
   *
   * @return sum over all fabrics
   */
  long lacking();

  /**
   * Returns the number of handshakes and connections that failed because of the other side, including unknown hosts.
   *
   * @return count since the start
   */
  long handshakesRefused();

  /**
   * Returns the number of frames that the peer did not seal. Each ended its endpoint.
   *
   * @return count since the start
   */
  long framesForged();

  /**
   * Returns the number of frames with a wrong checksum. Each ended its endpoint.
   *
   * @return count since the start
   */
  long framesCorrupted();

  /**
   * Returns the number of sessions that this side ended because the peer violated the protocol.
   *
   * @return count since the start
   */
  long sessionsViolated();
}
