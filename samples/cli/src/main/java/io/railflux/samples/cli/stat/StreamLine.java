package io.railflux.samples.cli.stat;

import io.railflux.metrics.StreamStatus;
import java.util.Locale;

/**
 * The state of one stream with a peer, or of all requests of one route to it.
 *
 * @param demand messages that the receiver requested; {@link #UNBOUNDED} without bound; open requests of a route
 * @param idleSeconds time since the last message
 */
public record StreamLine(
    String peer,
    String stream,
    String kind,
    String state,
    long messages,
    long demand,
    double idleSeconds,
    String waitsFor) {

  static final long UNBOUNDED = -1;

  static final String HEADINGS = "%-16s %-20s %-9s %-8s %12s %10s %8s  %s"
      .formatted("peer", "stream", "kind", "state", "messages", "demand", "idle s", "waits for");

  static StreamLine of(String peer, StreamStatus stream) {
    return new StreamLine(
        peer,
        stream.name(),
        stream.kind().name().toLowerCase(Locale.ROOT),
        stream.state().name().toLowerCase(Locale.ROOT),
        stream.messages(),
        stream.openDemand() == Long.MAX_VALUE ? UNBOUNDED : stream.openDemand(),
        stream.idle().toMillis() / 1e3,
        stream.waitsFor());
  }

  /** Formats the columns under {@link #HEADINGS}. */
  @Override
  public String toString() {
    return "%-16s %-20s %-9s %-8s %12d %10s %8.1f  %s"
        .formatted(
            peer,
            stream,
            kind,
            state,
            messages,
            demand == UNBOUNDED ? "unbounded" : demand,
            idleSeconds,
            waitsFor);
  }
}
