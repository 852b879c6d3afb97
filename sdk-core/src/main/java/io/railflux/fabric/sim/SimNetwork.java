package io.railflux.fabric.sim;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Hosts, links and virtual time. Single-threaded; nothing happens unless a caller runs events.
 *
 * <p>A run is a function of the seed and of what the caller does: {@link #traceHash()} is equal for
 * equal runs, on every JDK.
 */
public final class SimNetwork {

  private final long seed;
  private final SimConfig config;
  private final Trace trace = new Trace();
  private final EventQueue events = new EventQueue(trace);
  private final FaultCounters counters = new FaultCounters();
  private final SimRandom random;
  private final SimRandom driverRandom;
  private final Map<String, SimHost> hosts = new TreeMap<>();
  private final Map<String, SimLink> links = new LinkedHashMap<>();
  private SimFaults faults;
  private long lastId;
  private long lastArrivalAt;

  /** One rail, {@link SimConfig#rdma()}. */
  public SimNetwork(long seed) {
    this(seed, SimConfig.rdma());
  }

  public SimNetwork(long seed, SimConfig config) {
    this.seed = seed;
    this.config = config;
    this.faults = config.faults();
    this.random = new SimRandom(seed);
    this.driverRandom = new SimRandom(SimRandom.mix(seed + 1));
  }

  public SimConfig config() {
    return config;
  }

  /** The host of that name, running; made when first asked for. */
  public SimHost host(String name) {
    return hosts.computeIfAbsent(name, n -> new SimHost(this, n));
  }

  /** The link of two hosts on one rail, in whichever order they are named. */
  public SimLink link(SimHost a, SimHost b, int rail) {
    boolean inOrder = a.name().compareTo(b.name()) <= 0;
    SimHost first = inOrder ? a : b;
    SimHost second = inOrder ? b : a;
    String name = rail + "/" + first.name() + "/" + second.name();
    return links.computeIfAbsent(name, n -> new SimLink(this, first, second, rail));
  }

  /** Virtual time in nanoseconds, from 0. */
  public long now() {
    return events.now();
  }

  /** Runs {@code action} as an event, for drivers and their timers. See {@link SimHost#schedule}. */
  public void schedule(long delayNanos, Runnable action) {
    events.after(delayNanos, EventKind.DRIVER, 0, action);
  }

  /** Runs the next event at its time; false when nothing is left to happen. */
  public boolean step() {
    return events.step();
  }

  /** Runs every event up to {@code time} and lets it be {@code time} then. */
  public void runUntil(long time) {
    while (events.nextAt() <= time) {
      events.step();
    }
    events.advanceTo(time);
  }

  /**
   * Runs events until {@code condition} holds, at most to {@code deadline}.
   *
   * @return whether it came to hold
   */
  public boolean runUntil(BooleanSupplier condition, long deadline) {
    while (!condition.getAsBoolean()) {
      if (events.nextAt() > deadline) {
        events.advanceTo(deadline);
        return condition.getAsBoolean();
      }
      events.step();
    }
    return true;
  }

  public int pendingEvents() {
    return events.size();
  }

  /** When the last of what was sent so far arrives, at whatever pace its link had then. */
  public long lastArrivalAt() {
    return lastArrivalAt;
  }

  void arrivesAt(long time) {
    lastArrivalAt = Math.max(lastArrivalAt, time);
  }

  /** When the next event is due; {@link Long#MAX_VALUE} when there is none. */
  public long nextEventAt() {
    return events.nextAt();
  }

  /** Hash of all that happened so far. */
  public long traceHash() {
    return trace.hash();
  }

  /** Hears every event as a line of text; {@code null} for nobody. Costs nothing then. */
  public void traceListener(Consumer<String> listener) {
    trace.listener(listener);
  }

  /** Faults injected so far, by kind. */
  public Map<String, Long> faultCounts() {
    return counters.snapshot();
  }

  /** Rates from now on. */
  public void faults(SimFaults newFaults) {
    faults = newFaults;
  }

  public SimFaults faults() {
    return faults;
  }

  /** Seeded numbers for drivers, independent of those the network itself draws. */
  public long randomLong() {
    return driverRandom.nextLong();
  }

  @Override
  public String toString() {
    return "SimNetwork(seed " + seed + ", t " + now() + " ns, faults " + faultCounts() + ")";
  }

  SimHost hostIfKnown(String name) {
    return hosts.get(name);
  }

  EventQueue events() {
    return events;
  }

  SimRandom random() {
    return random;
  }

  void count(String kind) {
    counters.count(kind);
  }

  void record(EventKind kind, long subject, long detail) {
    trace.record(now(), kind, subject, detail);
  }

  long nextId() {
    return ++lastId;
  }
}
