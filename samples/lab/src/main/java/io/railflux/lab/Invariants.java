package io.railflux.lab;

import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.sim.SimNetwork;
import java.util.List;

/**
 * Invariants after every event, independent of the network: bounded windows, bounded memory, and no sleep while work is
 * pending. {@link Flow} checks the invariants of single messages.
 */
final class Invariants {

  private static final int MAX_ENDPOINTS = 64;

  private final SimNetwork network;
  private final Cluster cluster;
  private final Scenario scenario;
  private final Journal journal;
  private final List<SimulatedNode> nodes;
  private boolean healthy;
  private long calmFromNanos;

  Invariants(SimNetwork network, Cluster cluster, Scenario scenario, Journal journal) {
    this.network = network;
    this.cluster = cluster;
    this.scenario = scenario;
    this.journal = journal;
    this.nodes = cluster.nodes();
    this.healthy = scenario.faultNanos() == 0;
  }

  /** Requires that losses so far are repaired within the retry time. */
  void healed() {
    if (!healthy) {
      healthy = true;
      calmFromNanos = network.now()
          + scenario.network().timings().retryTimeoutNanos()
          + scenario.network().timings().lateMaxNanos();
    }
  }

  /** Records that a fault began again. */
  void faulty() {
    healthy = false;
  }

  void check() {
    for (int i = 0; i < nodes.size(); i++) {
      check(nodes.get(i));
    }
    // A slow rail may delay messages for longer than any healthy rail.
    boolean calm = network.nextEventAt() - network.now() > scenario.calmNanos()
        && network.lastArrivalAt() <= network.now();
    if (healthy && calm && network.now() >= calmFromNanos) {
      nodes.forEach(SimulatedNode::probe);
    }
  }

  private void check(SimulatedNode node) {
    if (!node.isOpen()) {
      return;
    }
    List<VirtualChannel> channels = node.engine().channels();
    for (int i = 0; i < channels.size(); i++) {
      check(node, channels.get(i));
    }
    long most = node.largeLimits().sendBudgetBytes() + node.largeLimits().receiveBudgetBytes();
    // One message of each direction may exceed the budget. Memory is allocated in powers of two.
    if (node.engine().largeMessageBytes() > most + 4L * node.limits().maxMessageBytes()) {
      journal.violation(node.name() + " takes " + node.engine().largeMessageBytes()
          + " B for large messages, which exceeds its budget of " + most);
    }
    if (node.audit().endpoints() > MAX_ENDPOINTS) {
      journal.violation(node.name() + " holds " + node.audit());
    }
  }

  private void check(SimulatedNode node, VirtualChannel channel) {
    if (channel.readings().unacknowledgedFrames() > node.limits().reorderWindow()) {
      journal.violation(
          node.name() + " has " + channel.readings().unacknowledgedFrames() + " frames in flight");
    }
    if (channel.heldBytes() < 0 || channel.heldBytes() > 4L * node.limits().ringBytes()) {
      journal.violation(node.name() + " holds back " + channel.heldBytes() + " B");
    }
    long occupied = channel.readings().ringOccupancyBytes();
    if (occupied < 0 || occupied > channel.readings().ringCapacityBytes()) {
      journal.violation(node.name() + " occupies " + occupied + " B of "
          + channel.readings().ringCapacityBytes());
    }
  }

  /** Requires that no endpoint was lost in a run without faults. */
  void checkBeforeClose() {
    for (Link link : cluster.links()) {
      for (Side side : link.sides()) {
        long lost = side.channel.counters().endpointsLost();
        journal.require(
            scenario.faultNanos() > 0 || lost == 0,
            side.node.name() + " lost " + lost + " endpoints without a fault");
      }
    }
  }

  /** Describes the outstanding work of a run without progress. */
  String unfinished() {
    StringBuilder text = new StringBuilder();
    for (SimulatedNode node : nodes) {
      text.append(node.name())
          .append(" holds ")
          .append(node.audit())
          .append(" and ")
          .append(node.engine().largeMessageBytes())
          .append(" B for large messages");
      for (VirtualChannel channel : node.engine().channels()) {
        text.append(", ")
            .append(channel.state())
            .append(" ")
            .append(channel.readings().unacknowledgedFrames())
            .append(" unacknowledged, ring ")
            .append(channel.readings().ringOccupancyBytes())
            .append("/")
            .append(channel.readings().ringCapacityBytes());
      }
      text.append("; ");
    }
    for (Link link : cluster.links()) {
      for (Flow flow : link.flows()) {
        if (!link.isSpent() && !Verdict.isSettled(flow)) {
          return text.append(flow).toString();
        }
      }
    }
    return text.toString();
  }
}
