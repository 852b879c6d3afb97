package io.railflux.lab;

import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.sim.SimNetwork;
import io.railflux.policy.ChannelKind;
import io.railflux.policy.ChannelPolicy;
import io.railflux.policy.ChannelTraffic;
import java.util.List;
import java.util.function.Consumer;

/**
 * Random kinds of first message channels, and random switches to other kinds while messages flow and faults happen
 * (CH3). Every other run has dedicated channels only.
 */
final class ChannelSwitches {

  private static final long MIN_SPREAD_NANOS = 5_000_000;

  private final SimNetwork network;
  private final Cluster cluster;
  private final SeededRandom random;
  private final long spreadNanos;
  private final Consumer<String> count;

  /**
   * @param faultNanos duration of the faults
   * @param count counts a switch by its description
   */
  ChannelSwitches(
      SimNetwork network,
      Cluster cluster,
      SeededRandom random,
      long faultNanos,
      Consumer<String> count) {
    this.network = network;
    this.cluster = cluster;
    this.random = random;
    this.spreadNanos = Math.max(MIN_SPREAD_NANOS, faultNanos);
    this.count = count;
  }

  /** Chooses the first channels and schedules the switches. Called before the nodes open. */
  void schedule() {
    if (random.chance(0.5)) {
      return;
    }
    for (SimulatedNode node : cluster.nodes()) {
      ChannelKind first = random.chance(0.6) ? ChannelKind.POOLED : kind();
      node.channels(new Unchanging(first));
      for (int i = random.between(0, 40); i > 0; i--) {
        network.schedule(
            random.between(0, spreadNanos), () -> node.laterOnEngine(0, () -> switchAny(node)));
      }
    }
  }

  private ChannelKind kind() {
    return ChannelKind.values()[random.below(ChannelKind.values().length)];
  }

  private void switchAny(SimulatedNode node) {
    ChannelKind to = kind();
    if (!cluster.isStopped()) {
      count.accept("channel " + to);
      for (VirtualChannel channel : List.copyOf(node.engine().channels())) {
        if (!channel.isClosed()) {
          channel.chooseChannel(to, 0);
        }
      }
    }
  }

  /** Chooses the first channel of a peer only. */
  private record Unchanging(ChannelKind first) implements ChannelPolicy {

    @Override
    public ChannelKind initial() {
      return first;
    }

    @Override
    public void decide(ChannelTraffic traffic) {
      // The workload switches.
    }
  }
}
