package io.railflux.samples.cli.stat;

import io.railflux.metrics.ChannelStatus;
import java.util.Locale;

/**
 * The message channels between a process and one peer, and why they were chosen.
 *
 * @param seconds time since the receiving channel was chosen
 */
public record ChannelLine(
    String peer,
    String receiving,
    int receivingRingBytes,
    long seconds,
    double gainPerMessageNanos,
    String sending,
    int sendingRingBytes,
    long switches,
    String policy) {

  static ChannelLine of(String peer, ChannelStatus channel) {
    return new ChannelLine(
        peer,
        channel.receiving().name().toLowerCase(Locale.ROOT),
        channel.receivingRingBytes(),
        channel.since().toSeconds(),
        channel.gainPerMessageNanos(),
        channel.sending().name().toLowerCase(Locale.ROOT),
        channel.sendingRingBytes(),
        channel.switches(),
        channel.policy());
  }

  static final String HEADINGS = "%-16s %-15s %8s %7s %9s %-15s %8s %8s  %s"
      .formatted(
          "peer",
          "receives over",
          "KiB",
          "for s",
          "gain ns",
          "sends over",
          "KiB",
          "switches",
          "policy");

  /** Formats the columns under {@link #HEADINGS}. */
  @Override
  public String toString() {
    return "%-16s %-15s %8d %7d %9.0f %-15s %8d %8d  %s"
        .formatted(
            peer,
            receiving,
            receivingRingBytes >> 10,
            seconds,
            gainPerMessageNanos,
            sending,
            sendingRingBytes >> 10,
            switches,
            policy);
  }
}
