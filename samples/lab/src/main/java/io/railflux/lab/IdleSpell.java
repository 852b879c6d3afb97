package io.railflux.lab;

import io.railflux.fabric.sim.SimLink;
import io.railflux.fabric.sim.SimNetwork;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * An idle spell: all sessions are idle for several times the longest timeout, then one fault occurs, then work resumes.
 * A fault shorter than the partition bound must not end a session.
 */
final class IdleSpell {

  /** The fault that the idle sessions experience. */
  private enum Kind {
    /** Every rail breaks, and its fabric reports the loss. */
    CUT,
    /** Rails drop all traffic, in both directions or in one. */
    SILENCE,
    /** As {@link #SILENCE}, one rail after the other. */
    RAIL_BY_RAIL,
    /** A process is suspended and resumes. */
    STOPPED,
    /** As {@link #CUT}, for longer than the partition bound. */
    LONG_CUT,
    /** As {@link #STOPPED}, for longer than the partition bound. */
    LONG_STOPPED,
    /** A process ends, and a new process replaces it. */
    KILL
  }

  private static final double CHANCE = 0.15;

  private static final long MILLIS = 1_000_000;

  /** Longer than it takes to re-establish lost connections on a healthy network. */
  private static final long RETURN_NANOS = 120 * MILLIS;

  private final SimNetwork network;
  private final Cluster cluster;
  private final Scenario scenario;
  private final Journal journal;
  private final SeededRandom random;
  private final boolean drawn;
  private final Map<String, Long> counts = new TreeMap<>();
  private boolean begun;
  private boolean over;
  private long endNanos;

  IdleSpell(
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
    this.drawn = random.chance(CHANCE);
  }

  /** Returns whether this run has an idle spell that has not begun. */
  boolean isDue() {
    return drawn && !begun;
  }

  /** Returns whether the fault is over, the network is healthy and the sessions have work. */
  boolean isOver() {
    return over;
  }

  /** Returns the latest time at which the spell ends. */
  long endNanos() {
    return endNanos;
  }

  Map<String, Long> counts() {
    return counts;
  }

  /**
   * Begins the idle spell. No session may be lost from now on: all faults before are over.
   * @param onFault runs when the fault begins
   * @param onHealed runs when the fault is over
   */
  void begin(Runnable onFault, Runnable onHealed) {
    begun = true;
    cluster.mustLive();
    Kind kind = Kind.values()[random.below(Kind.values().length)];
    long partition = scenario.timing().partitionNanos();
    long idle = random.between(1, 3) * partition + random.between(0, 500) * MILLIS;
    long fault = faultNanos(kind, partition);
    endNanos = network.now() + idle + fault;
    network.schedule(idle, () -> {
      cluster.railsFail();
      onFault.run();
      start(kind, fault);
    });
    network.schedule(idle + fault, () -> {
      heal(kind);
      onHealed.run();
      cluster.beginAnew();
      over = true;
    });
  }

  private long faultNanos(Kind kind, long partition) {
    long brief = random.micros(100, (int) ((partition - RETURN_NANOS) / 1_000));
    return switch (kind) {
      case CUT, SILENCE, STOPPED -> brief;
      case RAIL_BY_RAIL -> scenario.network().rails() * partition + brief;
      case LONG_CUT -> partition + scenario.timing().detectNanos();
      // On a rail whose fabric reports deaths, the silence of a stopped process begins at its next
      // heartbeat.
      case LONG_STOPPED -> 2 * partition;
      case KILL -> random.micros(100, 10_000);
    };
  }

  private void start(Kind kind, long faultNanos) {
    String name = "idle, then " + kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    counts.merge(name, 1L, Long::sum);
    journal.record(Seen.FAULT, kind.ordinal(), faultNanos);
    journal.note("fault: " + name + " for " + faultNanos / MILLIS + " ms");
    switch (kind) {
      case CUT -> cut();
      case SILENCE -> silence();
      case RAIL_BY_RAIL -> railByRail();
      case STOPPED -> node().stopFor(faultNanos);
      case LONG_CUT -> {
        cut();
        mayLoseLater();
      }
      case LONG_STOPPED -> {
        node().stopFor(faultNanos);
        mayLoseLater();
      }
      case KILL -> kill();
    }
  }

  private SimulatedNode node() {
    return cluster.nodes().get(random.below(cluster.nodes().size()));
  }

  private SimLink link(SimulatedNode connector, int rail) {
    return network.link(cluster.acceptor().host(), connector.host(), rail);
  }

  /** Breaks all rails and prevents new connections. */
  private void cut() {
    for (SimulatedNode connector : cluster.connectors()) {
      for (int rail = 0; rail < scenario.network().rails(); rail++) {
        link(connector, rail).down().reset();
      }
    }
  }

  private void silence() {
    boolean oneWay = random.chance(0.3);
    for (SimulatedNode connector : cluster.connectors()) {
      for (int rail = 0; rail < scenario.network().rails(); rail++) {
        silence(link(connector, rail), connector, oneWay);
      }
    }
  }

  private void silence(SimLink link, SimulatedNode connector, boolean oneWay) {
    if (oneWay) {
      link.blackHoleFrom(random.chance(0.5) ? cluster.acceptor().host() : connector.host());
    } else {
      link.blackHole();
    }
  }

  /**
   * Silences one rail after the other. The last rail fails after the others were gone for longer than the partition
   * bound.
   */
  private void railByRail() {
    long partition = scenario.timing().partitionNanos();
    for (SimulatedNode connector : cluster.connectors()) {
      for (int rail = 0; rail < scenario.network().rails(); rail++) {
        SimLink link = link(connector, rail);
        network.schedule((rail + 1) * partition, () -> silence(link, connector, false));
      }
    }
  }

  /** Allows losses after the partition bound, which starts at the last sign of life. */
  private void mayLoseLater() {
    long least = scenario.timing().partitionNanos() - scenario.timing().detectNanos();
    network.schedule(least, () -> cluster.mayLose(null));
  }

  private void kill() {
    SimulatedNode victim = node();
    cluster.kill(victim);
    network.schedule(random.micros(50, 90), () -> cluster.restart(victim));
  }

  private void heal(Kind kind) {
    if (kind == Kind.LONG_CUT) {
      cluster.requireAllLost();
    }
    for (SimulatedNode connector : cluster.connectors()) {
      for (int rail = 0; rail < scenario.network().rails(); rail++) {
        link(connector, rail).heal();
      }
    }
  }
}
