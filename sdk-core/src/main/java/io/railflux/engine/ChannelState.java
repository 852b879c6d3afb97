package io.railflux.engine;

/**
 * Life of a virtual channel. Allowed transitions:
 *
 * <pre>
 *   ESTABLISHED --last subchannel lost--> PAUSED
 *   PAUSED      --subchannel live-------> ESTABLISHED
 *   ESTABLISHED, PAUSED --close---------> CLOSING
 *   any other   --abort, drained, lost--> CLOSED
 * </pre>
 */
public enum ChannelState {
  ESTABLISHED,
  /** No rail left: streams pause, nothing is lost, memory stays bounded (FT5). */
  PAUSED,
  /** Draining: what was taken on is delivered, nothing new is. */
  CLOSING,
  CLOSED;

  boolean canBecome(ChannelState next) {
    return switch (this) {
      case ESTABLISHED -> next != ESTABLISHED;
      case PAUSED -> next != PAUSED;
      case CLOSING -> next == CLOSED;
      case CLOSED -> false;
    };
  }
}
