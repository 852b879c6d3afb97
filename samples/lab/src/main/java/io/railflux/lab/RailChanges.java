package io.railflux.lab;

import io.railflux.engine.base.Rail;
import io.railflux.engine.connect.Reconnect;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.policy.StripingPolicy;
import java.util.List;
import java.util.function.Consumer;

/** Changes of the rails of a running session by users. Each rail has one connection at the end. */
final class RailChanges {

  private final Cluster cluster;
  private final SeededRandom random;

  RailChanges(Cluster cluster, SeededRandom random) {
    this.cluster = cluster;
    this.random = random;
  }

  /** Removes a rail, which may be the only one, and adds it again after a delay. */
  void removeAndAdd(SimulatedNode connector, int rail, long afterNanos) {
    Rail.Target target = cluster.target(connector, rail);
    change(
        connector, 0, channel -> Reconnect.of(channel).remove(target, "removed by the workload"));
    change(connector, afterNanos, channel -> {
      if (!Reconnect.of(channel).leadsTo(target)) {
        Reconnect.of(channel).add(target);
      }
    });
  }

  /** Adds a second connection over a rail for a limited time, which adds a path. */
  void addAndRemove(SimulatedNode connector, int rail, long afterNanos) {
    Rail.Target target = cluster.target(connector, rail);
    change(connector, 0, channel -> {
      if (Reconnect.of(channel).leadsTo(target)) {
        Reconnect.of(channel).add(target);
      }
    });
    change(connector, afterNanos, channel -> {
      Reconnect connecting = Reconnect.of(channel);
      if (connecting.remove(target, "the rail had two connections") > 0) {
        connecting.add(target);
      }
    });
  }

  /** Changes the striping policy of one side. */
  void changePolicy(SimulatedNode node) {
    StripingPolicy policy =
        random.chance(0.5) ? StripingPolicy.byDefault() : new RandomStriping(random.fork());
    change(node, 0, channel -> channel.striping(policy));
  }

  private void change(SimulatedNode node, long delayNanos, Consumer<VirtualChannel> change) {
    node.laterOnEngine(
        delayNanos,
        () -> List.copyOf(node.engine().channels()).stream()
            .filter(channel -> !cluster.isStopped() && !channel.isClosed())
            .forEach(change));
  }
}
