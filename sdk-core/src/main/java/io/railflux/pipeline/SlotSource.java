package io.railflux.pipeline;

import java.nio.ByteBuffer;

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

  /**
   * Room in the frame that is open for this stream, for one message without metadata and time to live. Once encoded
   * it is told to {@link #gathered} instead of being emitted; or to nobody, if it is not to be sent after all.
   *
   * @return the entry, or null when there is no such frame or room, which says nothing about other room
   */
  default Slot gather(int maxBodyBytes) {
    return null;
  }

  /** The message of the last {@link #gather} is encoded, and takes so many bytes. */
  default void gathered(int bodyBytes) {
    throw new UnsupportedOperationException("nothing is gathered here");
  }

  /**
   * Fills the frame that is open for this stream with values, until one does not belong there or the stream has to wait
   * for its next turn. While that goes on source and codec find no other entry of this log, and what this stream
   * sent is not counted. They never make this throw.
   *
   * @param values says in its fields what came of it, which may be nothing
   * @param most values to take
   * @return how many messages were added
   */
  default <T> int fill(Filling<T> values, Outgoing<T> outgoing, long most) {
    return 0;
  }

  /**
   * Whether a message of that size goes by rendezvous, so that it may be sent from where it lies. Asked
   * for every message.
   */
  default boolean isLarge(int maxBodyBytes) {
    return false;
  }

  /**
   * As {@link #claim}, for a message that lies encoded between position and limit of {@code memory},
   * which is borrowed until the message is acknowledged, or copied where it cannot be sent from.
   *
   * @return an entry that holds the message already
   */
  default Slot lend(ByteBuffer memory, int metadataBytes, boolean timed, Runnable resume) {
    throw new UnsupportedOperationException("nothing is large here");
  }

  /** The engine's clock as of this duty cycle. */
  long nowNanos();
}
