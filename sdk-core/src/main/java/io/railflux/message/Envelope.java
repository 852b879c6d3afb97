package io.railflux.message;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A payload with headers, a time to live and, at the receiver, the propagated context of the sender. Immutable if the
 * payload is; usable on any thread.
 *
 * @param <T> type of the payload
 * @param payload the value
 * @param headers small named values; empty by default
 * @param timeToLive time that the message may wait before it is sent, up to 292 years; null for no limit
 * @param context propagated entries of the sender's Reactor context; empty at the sender
 */
public record Envelope<T>(
    T payload, Headers headers, @Nullable Duration timeToLive, Map<String, String> context) {

  /** Largest time of the wire format, which counts nanoseconds. */
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  /**
   * Validates the parts.
   *
   * @param payload the value
   * @param headers small named values
   * @param timeToLive time that the message may wait; null for no limit
   * @param context propagated entries, which are copied
   * @throws NullPointerException if payload, headers or context are null
   * @throws IllegalArgumentException if the time to live is zero, negative or longer than 292 years
   */
  public Envelope {
    Objects.requireNonNull(payload, "payload");
    Objects.requireNonNull(headers, "headers");
    context = Map.copyOf(Objects.requireNonNull(context, "context"));
    if (timeToLive != null
        && (timeToLive.isNegative() || timeToLive.isZero() || timeToLive.compareTo(LONGEST) > 0)) {
      throw new IllegalArgumentException("time to live must be positive and at most "
          + LONGEST.toDays() + " days, or null for none: " + timeToLive);
    }
  }

  /**
   * Creates an envelope without headers and without a time to live.
   *
   * @param <T> type of the payload
   * @param payload the value
   * @return the envelope
   */
  public static <T> Envelope<T> of(T payload) {
    return new Envelope<>(payload, Headers.empty(), null, Map.of());
  }

  /**
   * Adds or replaces a header.
   *
   * @param name name of the header
   * @param value text of the header
   * @return a modified copy
   * @throws IllegalArgumentException if the limits of {@link Headers} are exceeded
   */
  public Envelope<T> withHeader(String name, String value) {
    return new Envelope<>(payload, headers.with(name, value), timeToLive, context);
  }

  /**
   * Adds or replaces a header.
   *
   * @param name name of the header
   * @param value bytes of the header, which are copied
   * @return a modified copy
   * @throws IllegalArgumentException if the limits of {@link Headers} are exceeded
   */
  public Envelope<T> withHeader(String name, byte[] value) {
    return new Envelope<>(payload, headers.with(name, value), timeToLive, context);
  }

  /**
   * Replaces all headers.
   *
   * @param replacement the new headers
   * @return a modified copy
   */
  public Envelope<T> withHeaders(Headers replacement) {
    return new Envelope<>(payload, replacement, timeToLive, context);
  }

  /**
   * Sets the time that the message may wait before it is sent.
   *
   * @param limit positive, up to 292 years; null for no limit
   * @return a modified copy
   * @throws IllegalArgumentException if {@code limit} is zero, negative or too long
   */
  public Envelope<T> withTimeToLive(@Nullable Duration limit) {
    return new Envelope<>(payload, headers, limit, context);
  }

  /**
   * Sets the propagated context. Meant for the receiving side; sending ignores it.
   *
   * @param entries the entries, which are copied
   * @return a modified copy
   */
  public Envelope<T> withContext(Map<String, String> entries) {
    return new Envelope<>(payload, headers, timeToLive, entries);
  }
}
