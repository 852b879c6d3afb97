package io.railflux.lab;

import io.railflux.fabric.sim.SimNetwork;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One run: nodes, workload and faults of one seed, in virtual time. Faults end after a while. Then every flow must end,
 * the sessions close, and no resource may remain.
 */
final class Simulation {

  private static final long MILLIS = 1_000_000;

  private static final int LOOK_EVERY = 32;

  /**
   * A separate invariant, because de-duplication would hide its violation. An endpoint is fenced before its receiver
   * reports the frames that arrived, and the sender replays only the missing ones. A frame that arrived is therefore
   * never sent again (D1).
   */
  static final String NEEDLESS_REPLAYS = " frames were replayed that had arrived";

  private enum Phase {
    FAULTS,
    SETTLING,
    QUIETING,
    IDLE,
    CLOSING,
    RELEASING,
    OVER
  }

  private final Scenario scenario;
  private final SimNetwork network;
  private final Journal journal;
  private final Cluster cluster;
  private final FaultPlan faults;
  private final IdleSpell idleSpell;
  private final ChannelSwitches channelSwitches;
  private final Invariants invariants;
  private final boolean closesEarly;
  private final boolean aborts;
  private final List<SimulatedNode> nodes;
  private Phase phase = Phase.FAULTS;
  private long phaseEndsNanos;

  private Simulation(long seed, Consumer<String> lines) {
    SeededRandom random = new SeededRandom(seed);
    this.scenario = Scenario.of(random.fork());
    this.network = new SimNetwork(random.nextLong(), scenario.network());
    this.journal = new Journal(network);
    if (lines != null) {
      lines.accept("seed " + seed + ": " + scenario.describe());
      network.traceListener(lines);
      journal.listener(lines);
    }
    this.cluster = new Cluster(network, scenario, journal, random.fork());
    this.faults = new FaultPlan(network, cluster, scenario, journal, random.fork());
    this.nodes = cluster.nodes();
    this.invariants = new Invariants(network, cluster, scenario, journal);
    this.closesEarly = random.chance(0.08);
    this.aborts = random.chance(0.3);
    this.idleSpell = new IdleSpell(network, cluster, scenario, journal, random.fork());
    this.channelSwitches =
        new ChannelSwitches(network, cluster, random.fork(), scenario.faultNanos(), faults::count);
  }

  /**
   * @param lines receives every event, or null
   */
  static Outcome run(long seed, Consumer<String> lines) {
    Simulation simulation = new Simulation(seed, lines);
    simulation.run();
    return simulation.outcome();
  }

  private void run() {
    channelSwitches.schedule();
    cluster.start();
    faults.schedule();
    phaseEndsNanos = faults.endNanos();
    for (long steps = 0; phase != Phase.OVER && journal.violation() == null; steps++) {
      if (!network.step()) {
        endOfTime();
      }
      invariants.check();
      if (steps % LOOK_EVERY == 0 || network.nextEventAt() > network.now() + MILLIS / 10) {
        advance();
      }
    }
  }

  /** Handles the absence of further events: the run must be complete. */
  private void endOfTime() {
    Phase before;
    do {
      before = phase;
      advance();
    } while (phase != before);
    if (phase != Phase.OVER) {
      journal.violation("no event is left while " + phase + ": " + invariants.unfinished());
    }
  }

  private void enter(Phase next) {
    phase = next;
    phaseEndsNanos = network.now() + scenario.progressNanos();
    journal.note(next.toString());
  }

  private void advance() {
    switch (phase) {
      case FAULTS -> whileFaulty();
      case SETTLING -> {
        if (cluster.isSettled()) {
          enter(Phase.QUIETING);
        }
      }
      case QUIETING -> {
        if (cluster.isQuiet()) {
          nextPhase();
        }
      }
      case IDLE -> {
        if (idleSpell.isOver()) {
          enter(Phase.SETTLING);
        }
      }
      case CLOSING -> {
        // A task delivers the end of a subscription that ends at once.
        if (nodes.stream().allMatch(node -> node.engine().hasNoTaskOrPeer())) {
          cluster.links().forEach(Link::judge);
          enter(Phase.RELEASING);
        }
      }
      case RELEASING -> {
        if (nodes.stream().allMatch(SimulatedNode::holdsNothing)) {
          phase = Phase.OVER;
        }
      }
      case OVER -> {}
    }
    if (phase != Phase.FAULTS && network.now() > phaseEndsNanos) {
      journal.violation("no progress while " + phase + ": " + invariants.unfinished());
    }
  }

  /** Advances to the next phase when all work of the current one is done. */
  private void nextPhase() {
    if (idleSpell.isDue()) {
      invariants.checkBeforeClose();
      idleSpell.begin(invariants::faulty, invariants::healed);
      enter(Phase.IDLE);
      phaseEndsNanos += idleSpell.endNanos() - network.now();
    } else {
      if (!idleSpell.isOver()) {
        invariants.checkBeforeClose();
      }
      close(false);
    }
  }

  private void whileFaulty() {
    if (closesEarly && !cluster.links().isEmpty() && network.now() > phaseEndsNanos / 2) {
      cluster.mayLose(null);
      close(aborts);
    } else if (network.now() >= phaseEndsNanos) {
      heal();
      enter(Phase.SETTLING);
    }
  }

  private void heal() {
    faults.heal();
    invariants.healed();
  }

  private void close(boolean abort) {
    heal();
    enter(Phase.CLOSING);
    cluster.stop();
    for (Link link : cluster.links()) {
      link.close(abort);
    }
  }

  private Outcome outcome() {
    Map<String, Long> counts = new TreeMap<>(network.faultCounts());
    faults.counts().forEach((kind, count) -> counts.merge(kind, count, Long::sum));
    idleSpell.counts().forEach((kind, count) -> counts.merge(kind, count, Long::sum));
    counts.put(
        "completion reported twice",
        cluster.nodes().stream().mapToLong(SimulatedNode::echoesReported).sum());
    Tally tally = new Tally(cluster.links());
    String violation = journal.violation();
    if (violation == null && tally.duplicates() > 0) {
      violation = tally.duplicates() + NEEDLESS_REPLAYS;
    }
    return new Outcome(
        violation,
        journal.hash(),
        scenario.network().rails(),
        counts,
        tally.counts(),
        network.now());
  }
}
