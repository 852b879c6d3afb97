package io.railflux.metrics;

/**
 * Every meter of a node. Meters of a peer carry the tags {@code node}, {@code peer} and {@code fabric};
 * those of a stream also {@code stream} and {@code direction}; those of the engine only {@code node}.
 */
public enum RailfluxMeter {
  STREAM_MESSAGES("railflux.stream.messages", "messages", "Messages of one stream"),
  STREAM_BYTES("railflux.stream.bytes", "bytes", "Encoded bytes of one stream's messages"),
  STREAM_ACKNOWLEDGED(
      "railflux.stream.acknowledged", "messages", "Messages of one stream the peer has"),
  STREAM_DEMAND(
      "railflux.stream.demand", "messages", "Requested by the subscriber and not yet sent or come"),
  MESSAGES_SENT("railflux.messages.sent", "messages", "Messages and requests sent to a peer"),
  MESSAGES_RECEIVED("railflux.messages.received", "messages", "Messages and requests of a peer"),
  BYTES_SENT("railflux.bytes.sent", "bytes", "Encoded bytes sent to a peer"),
  BYTES_RECEIVED("railflux.bytes.received", "bytes", "Encoded bytes that came from a peer"),
  EXPIRED("railflux.messages.expired", "messages", "Dropped here because their time had run out"),
  CREDIT("railflux.credit", "bytes", "Room left in the rings the peer granted"),
  RING_OCCUPANCY("railflux.ring.occupancy", "bytes", "Written and not yet consumed by the peer"),
  STALLS("railflux.stalls", "stalls", "Times a message waited for room in ring, log or window"),
  ACKNOWLEDGED("railflux.acknowledged", "frames", "Frames the peer acknowledged"),
  UNACKNOWLEDGED("railflux.unacknowledged", "frames", "Frames sent and not acknowledged"),
  REPLAYED("railflux.replayed", "frames", "Frames sent again after an endpoint was lost"),
  DUPLICATES("railflux.duplicates.dropped", "frames", "Frames that came twice"),
  ENDPOINTS_LOST("railflux.endpoints.lost", "endpoints", "Endpoints that failed"),
  REGISTERED_MEMORY("railflux.memory.registered", "bytes", "Registered memory held for a peer"),
  ENGINE_CYCLES("railflux.engine.cycles", "cycles", "Duty cycles of the engine"),
  ENGINE_BUSY_CYCLES("railflux.engine.cycles.busy", "cycles", "Duty cycles that found work"),
  ENGINE_SLEEPS("railflux.engine.sleeps", "sleeps", "Times the engine thread went to sleep"),
  ENGINE_LACKING(
      "railflux.engine.lacking", "abilities", "Abilities its fabrics lack and it does without"),
  HANDSHAKES_REFUSED(
      "railflux.handshakes.refused", "handshakes", "Handshakes refused, broken off or too slow"),
  FRAMES_FORGED("railflux.frames.forged", "frames", "Frames that were not what a peer sealed"),
  SESSIONS_VIOLATED(
      "railflux.sessions.violated", "sessions", "Sessions ended as the peer broke the protocol");

  private final String meterName;
  private final String unit;
  private final String description;

  RailfluxMeter(String meterName, String unit, String description) {
    this.meterName = meterName;
    this.unit = unit;
    this.description = description;
  }

  /** Name in the registry. */
  public String meterName() {
    return meterName;
  }

  /** Base unit. */
  public String unit() {
    return unit;
  }

  /** One line for people. */
  public String description() {
    return description;
  }
}
