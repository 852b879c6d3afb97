package io.railflux.policies.channels;

import io.railflux.policy.ChannelKind;

/** The value of the current mapping for the messages of a window. Set-up is excluded, because it is paid (T 3.4, T2). */
final class CurrentMapping {

  private final AdaptiveParameters.Gains gains;
  private long messages;
  private long mostMessages;
  private long gainPicos;
  private int rings;
  private int endpoints;

  CurrentMapping(AdaptiveParameters.Gains gains) {
    this.gains = gains;
  }

  void reset() {
    messages = 0;
    mostMessages = 0;
    gainPicos = 0;
    rings = 0;
    endpoints = 0;
  }

  void add(ChannelKind kind, boolean hasEndpoint, long count) {
    messages += count;
    mostMessages = Math.max(mostMessages, count);
    rings += kind == ChannelKind.POOLED ? 0 : 1;
    endpoints += hasEndpoint ? 1 : 0;
    gainPicos += switch (kind) {
      case POOLED -> 0;
      case SHARED_RING -> count * gains.sharedNetPicos();
      case DEDICATED_RING -> count * gains.dedicatedNetPicos();
    };
  }

  /** Returns the messages of all peers. */
  long messages() {
    return messages;
  }

  /** Returns the dedicated endpoints that exist, in use or parked. */
  int endpoints() {
    return endpoints;
  }

  /** Returns the reduction of latency relative to pooled channels. */
  long reductionPicos() {
    return gainPicos - mostMessages * gains.failedPollPicos() * rings / 2;
  }
}
