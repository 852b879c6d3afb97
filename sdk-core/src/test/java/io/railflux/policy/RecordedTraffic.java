package io.railflux.policy;

import java.util.ArrayList;
import java.util.List;

/** Traffic that a test sets; choices apply at once. */
final class RecordedTraffic implements ChannelTraffic {

  static final long TICK_NANOS = 1_000_000_000;

  private final ChannelPolicy policy;
  private final List<ChannelKind> kinds = new ArrayList<>();
  private long[] received = {};
  private long[] sent = {};
  private int maxDedicated = Integer.MAX_VALUE;

  RecordedTraffic(ChannelPolicy policy, int peers) {
    this.policy = policy;
    for (int peer = 0; peer < peers; peer++) {
      kinds.add(policy.initial());
    }
  }

  RecordedTraffic maxDedicated(int maximum) {
    maxDedicated = maximum;
    return this;
  }

  /** Another peer takes the number. */
  void replace(int peer) {
    policy.left(peer);
    kinds.set(peer, policy.initial());
  }

  /** A tick in which peers sent these messages. */
  List<ChannelKind> received(long... messages) {
    return tick(messages, new long[kinds.size()]);
  }

  List<ChannelKind> tick(long[] receivedMessages, long[] sentMessages) {
    received = receivedMessages;
    sent = sentMessages;
    policy.decide(this);
    return List.copyOf(kinds);
  }

  @Override
  public int peers() {
    return kinds.size();
  }

  @Override
  public boolean isPresent(int peer) {
    return true;
  }

  @Override
  public ChannelKind kind(int peer) {
    return kinds.get(peer);
  }

  @Override
  public long receivedMessages(int peer) {
    return received[peer];
  }

  @Override
  public long receivedBytes(int peer) {
    return received[peer];
  }

  @Override
  public long sentMessages(int peer) {
    return sent[peer];
  }

  @Override
  public long sentBytes(int peer) {
    return sent[peer];
  }

  @Override
  public int largestReceivedBytes(int peer) {
    return received[peer] == 0 ? 0 : 1;
  }

  @Override
  public long tickNanos() {
    return TICK_NANOS;
  }

  @Override
  public int maxDedicated() {
    return maxDedicated;
  }

  @Override
  public void choose(int peer, ChannelKind kind, double gainPerMessageNanos) {
    kinds.set(peer, kind);
  }
}
