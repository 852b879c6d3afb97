package io.railflux.message;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * A value with what is said about it: headers, a time to live and, on receipt, what crossed the
 * wire of the sender's Reactor context. Immutable as far as its payload is; usable on any thread.
 *
 * @param payload the value itself
 * @param headers few small named values; empty by default
 * @param timeToLive how long the message may wait to be sent, or null to wait without limit
 * @param context entries of the sender's Reactor context; set on receipt only, empty otherwise
 */
public record Envelope<T>(
    T payload, Headers headers, Duration timeToLive, Map<String, String> context) {

  /** What the wire carries, in nanoseconds. */
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  /** Refuses missing parts and a time to live that is zero, negative or longer than 292 years. */
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

  /** The payload alone: no headers, no time to live. */
  public static <T> Envelope<T> of(T payload) {
    return new Envelope<>(payload, Headers.empty(), null, Map.of());
  }

  /** A copy with one more header; see {@link Headers#with(String, String)} for the limits. */
  public Envelope<T> withHeader(String name, String value) {
    return new Envelope<>(payload, headers.with(name, value), timeToLive, context);
  }

  /** A copy with one more header; see {@link Headers#with(String, byte[])} for the limits. */
  public Envelope<T> withHeader(String name, byte[] value) {
    return new Envelope<>(payload, headers.with(name, value), timeToLive, context);
  }

  /** A copy with these headers in place of all it had. */
  public Envelope<T> withHeaders(Headers replacement) {
    return new Envelope<>(payload, replacement, timeToLive, context);
  }

  /** A copy that expires when it could not be sent within {@code limit}; null removes the limit. */
  public Envelope<T> withTimeToLive(Duration limit) {
    return new Envelope<>(payload, headers, limit, context);
  }

  /** A copy with these context entries; meant for the receiving side. */
  public Envelope<T> withContext(Map<String, String> entries) {
    return new Envelope<>(payload, headers, timeToLive, entries);
  }
}
