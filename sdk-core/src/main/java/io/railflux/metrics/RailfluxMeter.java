package io.railflux.metrics;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a node. Meters of a peer have the tags {@code node}, {@code peer} and {@code fabric}; those of a
 * stream also {@code stream} and {@code direction}; those of the engine only {@code node}; timers of requests {@code
 * node}, {@code route} and {@code outcome}.
 */
public enum RailfluxMeter {
  /** Messages of a stream. */
  STREAM_MESSAGES("railflux.stream.messages", "messages", "Messages of one stream"),
  /** Encoded bytes of a stream. */
  STREAM_BYTES("railflux.stream.bytes", "bytes", "Encoded bytes of one stream"),
  /** Acknowledged messages of a stream. */
  STREAM_ACKNOWLEDGED(
      "railflux.stream.acknowledged",
      "messages",
      "Messages of one stream that the receiver acknowledged"),
  /** Open demand of a stream. */
  STREAM_DEMAND(
      "railflux.stream.demand",
      "messages",
      "Messages that the subscriber requested and that are not sent or received"),
  /** Messages and requests sent. */
  MESSAGES_SENT("railflux.messages.sent", "messages", "Messages and requests sent to a peer"),
  /** Messages and requests received. */
  MESSAGES_RECEIVED(
      "railflux.messages.received", "messages", "Messages and requests received from a peer"),
  /** Encoded bytes sent. */
  BYTES_SENT("railflux.bytes.sent", "bytes", "Encoded bytes sent to a peer"),
  /** Encoded bytes received. */
  BYTES_RECEIVED("railflux.bytes.received", "bytes", "Encoded bytes received from a peer"),
  /** Messages that expired at this node. */
  EXPIRED("railflux.messages.expired", "messages", "Messages that expired at this node"),
  /** Free room in the rings of the peer. */
  CREDIT("railflux.credit", "bytes", "Free room in the rings of the peer"),
  /** Bytes in the rings that the peer has not consumed. */
  RING_OCCUPANCY(
      "railflux.ring.occupancy", "bytes", "Bytes in the rings that the peer has not consumed"),
  /** Replaced message channels. */
  CHANNEL_SWITCHES(
      "railflux.channel.switches",
      "switches",
      "Message channels of either direction that another one replaced"),
  /** Waits for room. */
  STALLS("railflux.stalls", "stalls", "Waits of a message for room in ring, log or window"),
  /** Frames acknowledged by the peer. */
  ACKNOWLEDGED("railflux.acknowledged", "frames", "Frames that the peer acknowledged"),
  /** Frames sent and not acknowledged. */
  UNACKNOWLEDGED("railflux.unacknowledged", "frames", "Frames sent and not acknowledged"),
  /** Frames sent again. */
  REPLAYED("railflux.replayed", "frames", "Frames sent again after the loss of an endpoint"),
  /** Duplicate frames received. */
  DUPLICATES("railflux.duplicates.dropped", "frames", "Duplicate frames received"),
  /** Lost endpoints. */
  ENDPOINTS_LOST("railflux.endpoints.lost", "endpoints", "Endpoints that failed"),
  /** Registered memory of a session. */
  REGISTERED_MEMORY("railflux.memory.registered", "bytes", "Registered memory held for a peer"),
  /** Duty cycles. */
  ENGINE_CYCLES("railflux.engine.cycles", "cycles", "Duty cycles of the engine"),
  /** Duty cycles with work. */
  ENGINE_BUSY_CYCLES("railflux.engine.cycles.busy", "cycles", "Duty cycles that did work"),
  /** Sleeps of the engine thread. */
  ENGINE_SLEEPS("railflux.engine.sleeps", "sleeps", "Sleeps of the engine thread"),
  /** Missing abilities of the fabrics. */
  ENGINE_LACKING(
      "railflux.engine.lacking",
      "abilities",
      "Abilities that the engine would use and its fabrics lack"),
  /** Failed handshakes. */
  HANDSHAKES_REFUSED(
      "railflux.handshakes.refused",
      "handshakes",
      "Handshakes that were refused, aborted or too slow"),
  /** Frames that the peer did not seal. */
  FRAMES_FORGED("railflux.frames.forged", "frames", "Frames that the peer did not seal"),
  /** Frames with a wrong checksum. */
  FRAMES_CORRUPTED("railflux.frames.corrupted", "frames", "Frames with a wrong checksum"),
  /** Sessions ended by a protocol violation. */
  SESSIONS_VIOLATED(
      "railflux.sessions.violated",
      "sessions",
      "Sessions that ended by a protocol violation of the peer"),
  /** Times of requests, at the requester. */
  CLIENT_REQUESTS(
      "railflux.client.requests",
      "seconds",
      "Duration of a request with one reply, at the requester"),
  /** Times of requests, at the responder. */
  SERVER_REQUESTS(
      "railflux.server.requests",
      "seconds",
      "Duration of a request with one reply, at the responder");

  private final String meterName;
  private final String unit;
  private final String description;

  RailfluxMeter(String meterName, String unit, String description) {
    this.meterName = meterName;
    this.unit = unit;
    this.description = description;
  }

  /**
   * Returns the name in the registry.
   *
   * @return the name
   */
  public String meterName() {
    return meterName;
  }

  /**
   * Returns the unit of the values.
   *
   * @return the unit, plural
   */
  public String unit() {
    return unit;
  }

  /**
   * Returns the base unit in the registry: {@link #unit}, or null if the name contains it, because Prometheus appends
   * the base unit to the name.
   */
  @Nullable
  String baseUnit() {
    return List.of(meterName.split("\\.")).contains(unit) ? null : unit;
  }

  /**
   * Returns the description of the meter.
   *
   * @return one line of text
   */
  public String description() {
    return description;
  }
}
