package io.railflux.policies.channels;

import io.railflux.policy.ChannelKind;
import io.railflux.policy.ChannelPolicy;
import io.railflux.policy.ChannelTraffic;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A node whose peers and messages a test defines. Choices apply at once, and bounds hold after each of them. */
final class FakeTraffic implements ChannelTraffic {

  private final ChannelPolicy policy;
  /** Kinds by number; null without a peer. */
  private final List<ChannelKind> kinds = new ArrayList<>();
  /** Parked endpoints, the oldest first. */
  private final Set<Integer> parked = new LinkedHashSet<>();
  /** Peers whose messages need the present channel. */
  private final Set<Integer> kept = new HashSet<>();

  private long[] received = {};
  private int lengthBytes = 1;
  private int maxDedicated = Integer.MAX_VALUE;
  private int switches;
  private double gainNanos;

  FakeTraffic(ChannelPolicy policy, int peers) {
    this.policy = policy;
    for (int peer = 0; peer < peers; peer++) {
      kinds.add(policy.initial());
    }
  }

  FakeTraffic maxDedicated(int maximum) {
    maxDedicated = maximum;
    return this;
  }

  /** A peer takes the smallest free number. */
  int join() {
    int free = kinds.indexOf(null);
    if (free < 0) {
      kinds.add(policy.initial());
      return kinds.size() - 1;
    }
    kinds.set(free, policy.initial());
    return free;
  }

  void leave(int peer) {
    kinds.set(peer, null);
    parked.remove(peer);
    kept.remove(peer);
    policy.left(peer);
  }

  /** The node refuses to replace the channel of a peer by a smaller one. */
  FakeTraffic keep(int peer) {
    kept.add(peer);
    return this;
  }

  /** A tick in which peers sent these messages; further peers sent none. */
  List<ChannelKind> tick(long... messages) {
    received = messages;
    policy.decide(this);
    return kinds();
  }

  /** A tick in which peers sent messages of a length. */
  List<ChannelKind> tickOf(int messageBytes, long... messages) {
    lengthBytes = messageBytes;
    return tick(messages);
  }

  List<ChannelKind> kinds() {
    return Collections.unmodifiableList(new ArrayList<>(kinds));
  }

  /** Returns the changes so far. */
  int switches() {
    return switches;
  }

  /** Returns the gain that came with the last change. */
  double gainNanos() {
    return gainNanos;
  }

  Set<Integer> parked() {
    return parked;
  }

  @Override
  public int peers() {
    return kinds.size();
  }

  @Override
  public boolean isPresent(int peer) {
    return kinds.get(peer) != null;
  }

  @Override
  public ChannelKind kind(int peer) {
    return kinds.get(peer);
  }

  @Override
  public long receivedMessages(int peer) {
    return peer < received.length ? received[peer] : 0;
  }

  @Override
  public long receivedBytes(int peer) {
    return receivedMessages(peer) * lengthBytes;
  }

  @Override
  public long sentMessages(int peer) {
    return 0;
  }

  @Override
  public long sentBytes(int peer) {
    return 0;
  }

  @Override
  public int largestReceivedBytes(int peer) {
    return receivedMessages(peer) > 0 ? lengthBytes : 0;
  }

  @Override
  public long tickNanos() {
    return 1_000_000_000;
  }

  @Override
  public int maxDedicated() {
    return maxDedicated;
  }

  @Override
  public boolean isParked(int peer) {
    return parked.contains(peer);
  }

  @Override
  public void choose(int peer, ChannelKind kind, double gainPerMessageNanos) {
    if (kept.contains(peer) && kind.compareTo(kinds.get(peer)) < 0) {
      return;
    }
    apply(peer, kind);
    gainNanos = gainPerMessageNanos;
  }

  private void apply(int peer, ChannelKind kind) {
    if (kinds.get(peer) == ChannelKind.DEDICATED_RING && kind != ChannelKind.DEDICATED_RING) {
      parked.add(peer);
    } else if (kind == ChannelKind.DEDICATED_RING) {
      parked.remove(peer);
    }
    while (parked.size() > policy.maxParked()) {
      parked.remove(parked.iterator().next());
    }
    kinds.set(peer, kind);
    if (dedicated() > maxDedicated) {
      throw new IllegalStateException(dedicated() + " dedicated rings of " + maxDedicated);
    }
    switches++;
  }
}
