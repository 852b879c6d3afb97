package io.railflux.metrics;

import io.railflux.policy.ChannelKind;
import java.time.Duration;
import java.util.Locale;

/**
 * The message channels between this node and one peer. With several rails, the sizes are those of the first rail.
 *
 * @param receiving kind of the channel over which the peer sends, or will send after a switch that is under way
 * @param receivingRingBytes size of the ring into which the peer writes; 0 without a live rail
 * @param since time since {@code receiving} was chosen
 * @param gainPerMessageNanos reduction of latency per message that the policy expected of {@code receiving}; 0 if it
 *     has no model
 * @param sending kind of the channel over which this node sends, which the peer chooses
 * @param sendingRingBytes size of the ring into which this node writes; 0 without a live rail
 * @param switches number of rings that replaced another in either direction since the session began
 * @param policy policy that chooses {@code receiving}, or the reason why the channels stay as they are, as text for
 *     people
 */
public record ChannelStatus(
    ChannelKind receiving,
    int receivingRingBytes,
    Duration since,
    double gainPerMessageNanos,
    ChannelKind sending,
    int sendingRingBytes,
    long switches,
    String policy) {

  /** One line of text for people. */
  @Override
  public String toString() {
    String gain = gainPerMessageNanos == 0
        ? ""
        : String.format(Locale.ROOT, ", expected gain %.0f ns a message", gainPerMessageNanos);
    return "receives over a %s (%s) for %d s%s, sends over a %s (%s); %d switches; %s"
        .formatted(
            name(receiving),
            size(receivingRingBytes),
            since.toSeconds(),
            gain,
            name(sending),
            size(sendingRingBytes),
            switches,
            policy);
  }

  private static String name(ChannelKind kind) {
    return switch (kind) {
      case POOLED -> "pooled channel";
      case SHARED_RING -> "shared ring";
      case DEDICATED_RING -> "dedicated ring";
    };
  }

  private static String size(int bytes) {
    return bytes == 0 ? "no rail" : (bytes >> 10) + " KiB";
  }
}
