package io.railflux.policies.channels;

import io.railflux.policy.ChannelPolicy;
import io.railflux.policy.ChannelTraffic;

/**
 * Decides at each tick whether another mapping replaces the current one (CH5, T 3.4 steps T1 to T4). It compares the
 * current mapping with the best mapping of the window since the begin of the current window, and of a window of half
 * the length that ends now. The one with the larger gain per message is chosen if that gain exceeds the threshold.
 */
final class SlidingWindows implements ChannelPolicy {

  private final AdaptiveParameters parameters;
  private final TrafficHistory history;
  private final CandidateMapping extended;
  private final CandidateMapping shrunk;
  private long beginTick;
  private long endTick;

  SlidingWindows(AdaptiveParameters parameters) {
    this.parameters = parameters;
    this.history = new TrafficHistory(parameters.limits());
    this.extended = new CandidateMapping(parameters);
    this.shrunk = new CandidateMapping(parameters);
  }

  @Override
  public void decide(ChannelTraffic traffic) {
    history.add(traffic);
    long now = history.lastTick();
    if (now == 1) {
      // T1
      extended.find(history, 0, traffic);
      move(extended, traffic);
      return;
    }
    // T2 and T3
    extended.find(history, beginTick, traffic);
    shrunk.find(history, now - Math.max(1, (endTick - beginTick) / 2), traffic);
    // T4
    CandidateMapping better = shrunk.gainPicos() > extended.gainPicos() ? shrunk : extended;
    if (better.gainPicos() > parameters.limits().minGainPicos()) {
      move(better, traffic);
    }
  }

  private void move(CandidateMapping to, ChannelTraffic traffic) {
    to.apply(traffic);
    beginTick = to.beginTick();
    endTick = history.lastTick();
  }

  @Override
  public void left(int peer) {
    history.left(peer);
  }

  @Override
  public int maxParked() {
    return parameters.limits().maxParked();
  }

  @Override
  public String toString() {
    return "adaptive(" + (parameters.equals(AdaptiveParameters.PAPER) ? "PAPER" : parameters) + ")";
  }
}
