package io.railflux.lab;

import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.sim.SimFaults;
import io.railflux.fabric.sim.SimLink;
import io.railflux.fabric.sim.SimNetwork;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The faults of a run and their times. The network is healthy after the last fault. */
final class FaultPlan {

  private static final long MILLIS = 1_000_000;

  private final SimNetwork network;
  private final Cluster cluster;
  private final Scenario scenario;
  private final Journal journal;
  private final SeededRandom random;
  private final RailChanges changes;
  private final Map<String, Long> counts = new TreeMap<>();
  private long endNanos;

  FaultPlan(
      SimNetwork network,
      Cluster cluster,
      Scenario scenario,
      Journal journal,
      SeededRandom random) {
    this.network = network;
    this.cluster = cluster;
    this.scenario = scenario;
    this.journal = journal;
    this.random = random;
    this.changes = new RailChanges(cluster, random.fork());
    this.endNanos = scenario.faultNanos();
  }

  void schedule() {
    if (scenario.faultNanos() == 0) {
      return;
    }
    SeededRandom memory = random.fork();
    if (memory.chance(0.35)) {
      scheduleExhaustion(memory);
      if (memory.chance(0.3)) {
        cluster.onlyMemoryFails();
        return;
      }
    }
    network.faults(rates());
    int faults = random.below(6);
    for (int i = 0; i < faults; i++) {
      network.schedule(random.between(0, scenario.faultNanos()), this::fault);
    }
    for (int i = random.below(4); i > 0; i--) {
      network.schedule(random.between(0, scenario.faultNanos()), this::change);
    }
    if (random.chance(0.25)) {
      network.schedule(random.between(0, scenario.faultNanos()), this::kill);
    }
    for (int i = random.below(3); i > 0; i--) {
      network.schedule(random.between(0, scenario.faultNanos()), this::failAtOnce);
    }
    if (random.chance(0.04)) {
      long begin = random.between(0, scenario.faultNanos());
      endNanos = begin + scenario.timing().partitionNanos() + random.between(0, 60) * MILLIS;
      network.schedule(begin, this::partitionForLong);
    }
  }

  /**
   * Exhausts memory, often from the start so that all sessions are new. Some exhaustions last longer than the partition
   * bound.
   */
  private void scheduleExhaustion(SeededRandom memory) {
    for (int i = memory.between(1, 3); i > 0; i--) {
      long begin = memory.chance(0.4) ? 0 : memory.between(0, scenario.faultNanos());
      boolean isLong = memory.chance(0.3);
      long lasts = isLong
          ? scenario.timing().partitionNanos() + memory.between(0, 60) * MILLIS
          : memory.micros(100, 30_000);
      SimulatedMemory.Supply supply =
          memory.chance(0.25) ? SimulatedMemory.Supply.GARBAGE : SimulatedMemory.Supply.NONE;
      SimulatedNode node = cluster.nodes().get(memory.below(cluster.nodes().size()));
      endNanos = Math.max(endNanos, begin + lasts);
      network.schedule(begin, () -> exhaust(node, supply));
      network.schedule(begin + lasts, () -> node.memory().supply(SimulatedMemory.Supply.PLENTY));
    }
  }

  private void exhaust(SimulatedNode node, SimulatedMemory.Supply supply) {
    count("memory " + supply);
    node.memory().supply(supply);
  }

  private SimFaults rates() {
    return SimFaults.NONE
        .withCompletionErrors(random.chance(0.5) ? 0 : random.below(100) * 0.0001)
        .withEndpointDeaths(random.chance(0.5) ? 0 : random.below(100) * 0.0001)
        .withConnectFailures(random.chance(0.6) ? 0 : random.below(50) * 0.01)
        .withLate(random.below(100) * 0.01)
        .withReadLate(random.below(100) * 0.01)
        .withCloseNotice(random.below(100) * 0.01)
        .withCorruption(scenario.isSealed() && random.chance(0.5) ? random.below(50) * 0.0004 : 0);
  }

  /** Returns the time at which the last fault ends. */
  long endNanos() {
    return endNanos;
  }

  Map<String, Long> counts() {
    return counts;
  }

  void count(String kind) {
    counts.merge(kind, 1L, Long::sum);
    journal.record(Seen.FAULT, kind.length(), kind.charAt(0));
    journal.note("fault: " + kind);
  }

  private SimulatedNode connector() {
    return cluster.connectors().get(random.below(cluster.connectors().size()));
  }

  private SimLink link(SimulatedNode connector, int rail) {
    return network.link(cluster.acceptor().host(), connector.host(), rail);
  }

  private SimulatedNode node() {
    return cluster.nodes().get(random.below(cluster.nodes().size()));
  }

  private void fault() {
    int rail = random.below(scenario.network().rails());
    SimulatedNode connector = connector();
    SimLink link = link(connector, rail);
    switch (random.below(6)) {
      case 0 -> {
        count("link down");
        link.down();
      }
      case 1 -> {
        count("black hole");
        link.blackHole();
      }
      case 2 -> {
        count("one-way black hole");
        link.blackHoleFrom(random.chance(0.5) ? cluster.acceptor().host() : connector.host());
      }
      case 3 -> {
        count("crawl");
        link.crawl(random.between(50_000, 5_000_000));
      }
      case 4 -> railDown(node(), rail);
      default -> partition();
    }
    network.schedule(duration(), link::heal);
  }

  /** Simulates actions of users during the faults. These actions are no faults. */
  private void change() {
    SimulatedNode connector = connector();
    int rail = random.below(scenario.network().rails());
    switch (random.below(3)) {
      case 0 -> {
        count("rail removed and added");
        changes.removeAndAdd(connector, rail, duration());
      }
      case 1 -> {
        count("rail doubled");
        changes.addAndRemove(connector, rail, duration());
      }
      default -> {
        count("policy changed");
        changes.changePolicy(node());
      }
    }
  }

  private long duration() {
    return random.chance(0.3) ? random.micros(10, 1_000) : random.micros(1_000, 30_000);
  }

  /** Starts a subscriber that resubscribes repeatedly to a source that fails at once. */
  private void failAtOnce() {
    SimulatedNode node = node();
    SeededRandom own = random.fork();
    node.laterOnEngine(0, () -> {
      List<VirtualChannel> channels = node.engine().channels();
      if (!channels.isEmpty()) {
        count("inline failures");
        VirtualChannel channel = channels.get(own.below(channels.size()));
        InlineFailures.begin(node, channel, journal, own);
      }
    });
  }

  private void railDown(SimulatedNode node, int rail) {
    count("rail down");
    node.host().railUp(rail, false);
    network.schedule(duration(), () -> node.host().railUp(rail, true));
  }

  private void partition() {
    count("partition");
    SimulatedNode connector = connector();
    for (int rail = 0; rail < scenario.network().rails(); rail++) {
      SimLink link = link(connector, rail);
      link.blackHole();
      network.schedule(duration(), link::heal);
    }
  }

  private void partitionForLong() {
    count("long partition");
    cluster.mayLose(null);
    for (int rail = 0; rail < scenario.network().rails(); rail++) {
      for (SimulatedNode connector : cluster.connectors()) {
        network.link(cluster.acceptor().host(), connector.host(), rail).blackHole();
      }
    }
  }

  private void kill() {
    SimulatedNode victim = node();
    cluster.kill(victim);
    count("restart");
    network.schedule(random.micros(100, 10_000), () -> cluster.restart(victim));
  }

  /** Ends all faults. */
  void heal() {
    network.faults(SimFaults.NONE);
    for (SimulatedNode node : cluster.nodes()) {
      node.memory().supply(SimulatedMemory.Supply.PLENTY);
      for (int rail = 0; rail < scenario.network().rails(); rail++) {
        node.host().railUp(rail, true);
        if (node != cluster.acceptor()) {
          network.link(cluster.acceptor().host(), node.host(), rail).heal();
        }
      }
    }
  }
}
