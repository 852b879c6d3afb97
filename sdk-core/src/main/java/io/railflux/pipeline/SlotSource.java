package io.railflux.pipeline;

import java.nio.ByteBuffer;

/** Provides entries of the sender's log for encoded messages. Engine thread only. */
public interface SlotSource {

  /**
   * Reserves room for one message.
   *
   * @param maxBodyBytes upper bound of the encoded message
   * @param metadataBytes bytes of metadata, 0 for none
   * @param timed whether the message has a time to live
   * @param resume runs once there is room, if there is none now
   * @return the entry, or null without room
   * @throws io.railflux.exceptions.MessageTooLargeException if the message can never fit
   */
  Slot claim(int maxBodyBytes, int metadataBytes, boolean timed, Runnable resume);

  /**
   * Reserves room in the open frame of this stream for one message without metadata and time to live. The encoded
   * message is passed to {@link #gathered} instead of being emitted, or to no method if it is not sent.
   *
   * @return the entry, or null without such a frame or room; other room may exist
   */
  default Slot gather(int maxBodyBytes) {
    return null;
  }

  /** The message of the last {@link #gather} is encoded. */
  default void gathered(int bodyBytes) {
    throw new UnsupportedOperationException("nothing is gathered here");
  }

  /**
   * Fills the open frame of this stream with values, until a value does not belong there or the stream must wait for
   * its next turn. Meanwhile source and codec find no other entry of this log, and messages of this stream are not
   * counted. Exceptions of source and codec never leave this method.
   *
   * @param values receives the result
   * @param most largest number of values to take
   * @return number of added messages
   */
  default <T> int fill(Filling<T> values, Outgoing<T> outgoing, long most) {
    return 0;
  }

  /**
   * Whether a message of that size uses rendezvous, so that it may be sent without a copy. Called for every message.
   */
  default boolean isLarge(int maxBodyBytes) {
    return false;
  }

  /**
   * Like {@link #claim} for a message that is encoded between position and limit of {@code memory}. The memory is
   * borrowed until the message is acknowledged, or copied if it cannot be sent directly.
   *
   * @return an entry that contains the message
   */
  default Slot lend(ByteBuffer memory, int metadataBytes, boolean timed, Runnable resume) {
    throw new UnsupportedOperationException("nothing is large here");
  }

  /** Returns the time of this duty cycle. */
  long nowNanos();
}
