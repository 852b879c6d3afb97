package io.railflux.fabric;

/** Services of an engine for its fabrics. Engine thread only, except {@link #wakeUp()}. */
public interface FabricContext {

  /**
   * Returns the time of the engine, read once per duty cycle, and by callbacks of {@link #socketLoop} that run while
   * the engine sleeps.
   *
   * @return monotonic time in nanoseconds with arbitrary origin
   */
  long nowNanos();

  /**
   * Returns random bits for keys and nonces, from a seeded or secure source.
   *
   * @return 64 random bits
   */
  long randomLong();

  /** Ends the present or next sleep of the engine. Any thread. */
  void wakeUp();

  /**
   * Returns the loop for sockets and timers. The engine thread drives it inside {@link #pollIo} and while the engine
   * sleeps.
   *
   * @return the same loop during the life of the engine
   * @throws UnsupportedOperationException on engines without real I/O (simulation)
   */
  default SocketLoop socketLoop() {
    throw new UnsupportedOperationException("no real I/O here");
  }

  /**
   * Returns whether the engine slept immediately before this duty cycle and thereby ran the ready events of {@link
   * #socketLoop}. A poll then saves a system call.
   *
   * @return false by default
   */
  default boolean justSlept() {
    return false;
  }

  /**
   * Returns whether frames of a connection should carry checksums, for fabrics whose network checks less than
   * CRC-32C.
   *
   * @param protection protection of the connection
   * @return {@link Checksum#ALLOWED} by default, and for connections with authenticated frames
   */
  default Checksum checksum(Protection protection) {
    return Checksum.ALLOWED;
  }

  /**
   * Runs the ready events of {@link #socketLoop} without waiting.
   *
   * @return number of events
   */
  int pollIo();
}
