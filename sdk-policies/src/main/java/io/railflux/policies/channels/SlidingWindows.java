package io.railflux.policies.channels;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Decides, once per unit of time, whether another mapping replaces the current one (CH5, T 3.4 steps T1 to T4). It
 * compares the current mapping with the best mapping of the window since the begin of the current window, and of a
 * window of half the length that ends now. The one with the larger gain per message is chosen if that gain exceeds the
 * threshold.
 */
final class SlidingWindows {

  /** Channel of one peer. */
  enum Channel {
    POOLED,
    SHARED_RING,
    DEDICATED_RING
  }

  /** A window, the best mapping for its messages, and the gain per message over the current mapping. */
  private record Candidate(long begin, List<Channel> mapping, double gainPicos) {}

  private final AdaptiveParameters parameters;
  private final int peers;
  private final TrafficHistory history;
  private final BestMapping best;
  private final long[] messages;
  private List<Channel> current;
  private long beginTick;
  private long endTick;

  SlidingWindows(AdaptiveParameters parameters, int peers) {
    this.parameters = parameters;
    this.peers = peers;
    this.history = new TrafficHistory(peers, parameters.limits().historyEntries(peers));
    this.best = new BestMapping(parameters);
    this.messages = new long[peers];
    this.current = Collections.nCopies(peers, Channel.POOLED);
  }

  /**
   * Ends a unit of time.
   *
   * @param received messages received from each peer within the unit
   * @param available endpoints that may be dedicated
   * @return the channel of each peer, unmodifiable
   */
  List<Channel> tick(long[] received, int available) {
    history.add(received);
    long now = history.lastTick();
    if (now == 1) {
      // T1
      history.since(0, messages);
      move(new Candidate(0, bestMapping(available), 0));
      return current;
    }
    // T2 and T3
    Candidate extended = candidate(beginTick, available);
    Candidate shrunk = candidate(now - Math.max(1, (endTick - beginTick) / 2), available);
    // T4
    Candidate better = shrunk.gainPicos > extended.gainPicos ? shrunk : extended;
    if (better.gainPicos > parameters.limits().minGainPicos()) {
      move(better);
    }
    return current;
  }

  private void move(Candidate to) {
    current = to.mapping;
    beginTick = to.begin;
    endTick = history.lastTick();
  }

  private Candidate candidate(long begin, int available) {
    history.since(begin, messages);
    List<Channel> mapping = bestMapping(available);
    long total = Arrays.stream(messages).sum();
    double gain = total == 0 ? 0 : (best.reductionPicos() - reductionPicos()) / (double) total;
    return new Candidate(begin, mapping, gain);
  }

  /** Finds the best mapping for the messages of the window. */
  private List<Channel> bestMapping(int available) {
    int[] order = IntStream.range(0, peers)
        .boxed()
        .sorted((a, b) -> Long.compare(messages[b], messages[a]))
        .mapToInt(Integer::intValue)
        .toArray();
    best.find(Arrays.stream(order).mapToLong(peer -> messages[peer]).toArray(), peers, available);
    Channel[] mapping = new Channel[peers];
    for (int i = 0; i < peers; i++) {
      mapping[order[i]] = i < best.dedicated()
          ? Channel.DEDICATED_RING
          : i < best.rings() ? Channel.SHARED_RING : Channel.POOLED;
    }
    return List.of(mapping);
  }

  /** Returns the reduction of latency by the current mapping for the messages of the window, without set-up. */
  private long reductionPicos() {
    AdaptiveParameters.Gains gains = parameters.gains();
    long sum = 0;
    long most = 0;
    int rings = 0;
    for (int peer = 0; peer < peers; peer++) {
      most = Math.max(most, messages[peer]);
      sum += switch (current.get(peer)) {
        case POOLED -> 0;
        case SHARED_RING -> messages[peer] * gains.sharedNetPicos();
        case DEDICATED_RING -> messages[peer] * gains.dedicatedNetPicos();
      };
      rings += current.get(peer) == Channel.POOLED ? 0 : 1;
    }
    return sum - most * gains.failedPollPicos() * rings / 2;
  }
}
