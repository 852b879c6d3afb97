package io.railflux.policies.channels;

import io.railflux.policies.channels.AdaptiveParameters.ChoiceLimits;
import io.railflux.policy.ChannelKind;
import io.railflux.policy.ChannelTraffic;
import java.util.Arrays;

/** The best mapping for the messages of a window, and its gain per message over the current mapping. Reusable. */
final class CandidateMapping {

  private static final double PICOS_PER_NANO = 1_000;

  private final ChoiceLimits limits;
  private final TrafficRanking ranking = new TrafficRanking();
  private final CurrentMapping current;
  private final BestMapping best;
  private ChannelKind[] kinds = new ChannelKind[0];
  private long beginTick;
  private double gainPicos;

  CandidateMapping(AdaptiveParameters parameters) {
    this.limits = parameters.limits();
    this.current = new CurrentMapping(parameters.gains());
    this.best = new BestMapping(parameters);
  }

  /**
   * Finds the best mapping for a window that ends now.
   *
   * @param history messages up to now
   * @param begin tick at which the window begins
   * @param traffic the current mapping
   */
  void find(TrafficHistory history, long begin, ChannelTraffic traffic) {
    beginTick = begin;
    current.reset();
    ranking.reset(traffic.peers());
    for (int peer = 0; peer < traffic.peers(); peer++) {
      if (traffic.isPresent(peer)) {
        ChannelKind kind = traffic.kind(peer);
        boolean hasEndpoint = kind == ChannelKind.DEDICATED_RING || traffic.isParked(peer);
        long messages = history.since(begin, peer);
        current.add(kind, hasEndpoint, messages);
        ranking.add(peer, messages, kind, hasEndpoint);
      }
    }
    ranking.sort();
    best.find(
        ranking.messages(),
        ranking.hasEndpoint(),
        ranking.size(),
        traffic.maxDedicated(),
        Math.max(0, limits.maxEndpoints() - current.endpoints()));
    gainPicos = current.messages() == 0
        ? 0
        : (best.reductionPicos() - current.reductionPicos()) / (double) current.messages();
  }

  long beginTick() {
    return beginTick;
  }

  /** Returns the gain per message over the mapping that was current in {@link #find}. */
  double gainPicos() {
    return gainPicos;
  }

  /** Chooses the mapping; takes rings before it gives others, so that the bounds hold after each choice. */
  void apply(ChannelTraffic traffic) {
    if (kinds.length < traffic.peers()) {
      kinds = new ChannelKind[Math.max(traffic.peers(), kinds.length + kinds.length / 2)];
    }
    Arrays.fill(kinds, 0, traffic.peers(), ChannelKind.POOLED);
    for (int place = 0; place < best.rings(); place++) {
      kinds[ranking.peer(place)] =
          place < best.dedicated() ? ChannelKind.DEDICATED_RING : ChannelKind.SHARED_RING;
    }
    take(traffic);
    give(traffic);
  }

  private void take(ChannelTraffic traffic) {
    for (int peer = 0; peer < traffic.peers(); peer++) {
      if (traffic.isPresent(peer) && kinds[peer].compareTo(traffic.kind(peer)) < 0) {
        choose(traffic, peer, kinds[peer]);
      }
    }
  }

  /** Gives rings to the busiest peers first. Dedicated rings that the node did not let go leave room for fewer. */
  private void give(ChannelTraffic traffic) {
    int free = Math.min(limits.maxDedicated(), traffic.maxDedicated()) - traffic.dedicated();
    for (int place = 0; place < best.rings(); place++) {
      int peer = ranking.peer(place);
      ChannelKind kind = traffic.kind(peer);
      ChannelKind wanted = kinds[peer];
      if (wanted == ChannelKind.DEDICATED_RING && kind != wanted && free-- <= 0) {
        wanted = ChannelKind.SHARED_RING;
      }
      if (wanted.compareTo(kind) > 0) {
        choose(traffic, peer, wanted);
      }
    }
  }

  private void choose(ChannelTraffic traffic, int peer, ChannelKind kind) {
    traffic.choose(peer, kind, gainPicos / PICOS_PER_NANO);
  }
}
