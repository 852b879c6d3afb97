package io.railflux.pipeline;

/** Where encoded messages go: hands out entries of the sender's log. Engine thread only. */
public interface SlotSource {

  /**
   * Reserves room for one message.
   *
   * @param maxBodyBytes upper bound of the encoded message
   * @param metadataBytes bytes of metadata, 0 for none
   * @param timed whether the message has a time to live
   * @return the entry, or null when there is no room now; then {@code resume} runs once there is
   * @throws io.railflux.exceptions.MessageTooLargeException when it can never fit
   */
  Slot claim(int maxBodyBytes, int metadataBytes, boolean timed, Runnable resume);

  /** The engine's clock as of this duty cycle. */
  long nowNanos();
}
