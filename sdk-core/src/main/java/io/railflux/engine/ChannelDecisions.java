package io.railflux.engine;

import io.railflux.engine.base.ChannelCounters;
import io.railflux.engine.base.EngineContext;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.policy.ChannelKind;
import io.railflux.policy.ChannelPolicy;
import io.railflux.policy.ChannelTraffic;
import java.util.ArrayList;
import java.util.List;

/**
 * Applies the channel policy of the node: measures the traffic of all peers, and passes the choices to their sessions
 * (CH4, CM1). Ticks pause while no message moves and every peer has the smallest channel, so that an idle node sleeps.
 * Engine thread only.
 */
final class ChannelDecisions implements ChannelTraffic {

  private static final long TICK_NANOS = 1_000_000_000;

  /** Ticks without a message after which a session forgets the sizes of earlier messages. */
  private static final int QUIET_TICKS = 30;

  /** A peer, and its counters at the last tick. */
  private static final class Peer {

    final VirtualChannel channel;
    private long receivedMessages;
    private long receivedBytes;
    private long sentMessages;
    private long sentBytes;
    private int quietTicks;

    // Differences since the last tick.
    long newReceivedMessages;
    long newReceivedBytes;
    long newSentMessages;
    long newSentBytes;
    int largestReceivedBytes;

    Peer(VirtualChannel channel) {
      this.channel = channel;
    }

    /** Returns whether messages moved. */
    boolean measure() {
      ChannelCounters counters = channel.counters();
      newReceivedMessages = counters.messagesReceived() - receivedMessages;
      newReceivedBytes = counters.bytesReceived() - receivedBytes;
      newSentMessages = counters.messagesSent() - sentMessages;
      newSentBytes = counters.bytesSent() - sentBytes;
      receivedMessages += newReceivedMessages;
      receivedBytes += newReceivedBytes;
      sentMessages += newSentMessages;
      sentBytes += newSentBytes;
      largestReceivedBytes = counters.takeLargestReceivedBytes();
      quietTicks = newReceivedMessages > 0 ? 0 : quietTicks + 1;
      if (quietTicks == QUIET_TICKS) {
        channel.channelQuiet();
      }
      return newReceivedMessages + newSentMessages > 0;
    }
  }

  private final ChannelPolicy policy;
  private final EngineContext engine;

  // By number; null for free numbers.
  private final List<Peer> peers = new ArrayList<>();
  private boolean ticking;
  private long movedBefore;
  private long tickedNanos;
  private long tickNanos;

  ChannelDecisions(ChannelPolicy policy, EngineContext engine) {
    this.policy = policy;
    this.engine = engine;
  }

  ChannelPolicy policy() {
    return policy;
  }

  void add(VirtualChannel channel) {
    int free = peers.indexOf(null);
    if (free >= 0) {
      peers.set(free, new Peer(channel));
    } else {
      peers.add(new Peer(channel));
    }
  }

  void forget(VirtualChannel channel) {
    for (int i = 0; i < peers.size(); i++) {
      if (peers.get(i) != null && peers.get(i).channel == channel) {
        peers.set(i, null);
        policy.left(i);
      }
    }
  }

  /**
   * Begins to tick when messages move.
   *
   * @param moved messages that the node sent and received so far
   */
  void notice(long moved) {
    if (moved != movedBefore && !ticking) {
      ticking = true;
      tickedNanos = engine.nowNanos();
      engine.timers().at(tickedNanos + TICK_NANOS, this::tick);
    }
    movedBefore = moved;
  }

  private void tick() {
    long now = engine.nowNanos();
    tickNanos = now - tickedNanos;
    tickedNanos = now;
    boolean moved = false;
    for (int i = 0; i < peers.size(); i++) {
      moved |= isPresent(i) && peers.get(i).measure();
    }
    policy.decide(this);
    ticking = moved || !isAtRest();
    if (ticking) {
      engine.timers().at(now + TICK_NANOS, this::tick);
    }
  }

  /** Returns whether no decision is due as long as no message moves. */
  private boolean isAtRest() {
    for (int i = 0; i < peers.size(); i++) {
      if (isPresent(i) && (kind(i) != policy.initial() || peers.get(i).quietTicks < QUIET_TICKS)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int peers() {
    return peers.size();
  }

  @Override
  public boolean isPresent(int peer) {
    return peers.get(peer) != null;
  }

  @Override
  public ChannelKind kind(int peer) {
    return peers.get(peer).channel.channelKind();
  }

  @Override
  public long receivedMessages(int peer) {
    return peers.get(peer).newReceivedMessages;
  }

  @Override
  public long receivedBytes(int peer) {
    return peers.get(peer).newReceivedBytes;
  }

  @Override
  public long sentMessages(int peer) {
    return peers.get(peer).newSentMessages;
  }

  @Override
  public long sentBytes(int peer) {
    return peers.get(peer).newSentBytes;
  }

  @Override
  public int largestReceivedBytes(int peer) {
    return peers.get(peer).largestReceivedBytes;
  }

  @Override
  public long tickNanos() {
    return tickNanos;
  }

  @Override
  public int maxDedicated() {
    return Integer.MAX_VALUE;
  }

  @Override
  public void choose(int peer, ChannelKind kind, double gainPerMessageNanos) {
    peers.get(peer).channel.chooseChannel(kind, gainPerMessageNanos);
  }
}
