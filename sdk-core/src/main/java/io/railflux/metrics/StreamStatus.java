package io.railflux.metrics;

import java.time.Duration;
import java.util.Locale;

/**
 * State of one stream with a peer, or of all requests of one route to it.
 *
 * @param name name of the stream or route
 * @param kind direction of the stream
 * @param state phase of the stream
 * @param messages messages sent or delivered so far; replies of a route
 * @param openDemand messages that the receiver requested and that are not sent or delivered yet, {@link Long#MAX_VALUE}
 *     without bound; requests without an end of their replies, for a route
 * @param idle time since the last message, or since the begin without one
 * @param waitsFor what the next message waits for, as text for people; includes the names that the peer awaits or
 *     offers while only one side knows the stream
 */
public record StreamStatus(
    String name,
    Kind kind,
    State state,
    long messages,
    long openDemand,
    Duration idle,
    String waitsFor) {

  /** Kind of an entry. */
  public enum Kind {
    /** A stream that this node sends. */
    SENT,
    /** A stream that this node receives. */
    RECEIVED,
    /** A stream that the peer sends, without a subscriber at this node. */
    OFFERED,
    /** The requests of one route that this node sent or will send. */
    REQUESTED
  }

  /** Phase of a stream. */
  public enum State {
    /** Only one side knows the stream, or its receiver has not requested the first message. */
    OPENING,
    /** Messages flow within the demand. */
    FLOWING,
    /** The source has ended. Messages, or their acknowledgements, are on their way. */
    ENDING
  }

  /** One line of text for people. */
  @Override
  public String toString() {
    String counts = kind == Kind.REQUESTED
        ? "open requests %,d, replies %,d".formatted(openDemand, messages)
        : "messages %,d, demand %s".formatted(messages, demand());
    return "'%s' %s, %s: %s, idle for %s; waits for %s"
        .formatted(name, lower(kind), lower(state), counts, seconds(), waitsFor);
  }

  private String demand() {
    return openDemand == Long.MAX_VALUE ? "without bound" : "%,d".formatted(openDemand);
  }

  private String seconds() {
    return String.format(Locale.ROOT, "%.1f s", idle.toNanos() / 1e9);
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
