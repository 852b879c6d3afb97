package io.railflux.fabric.sim;

import io.railflux.fabric.sim.events.EventKind;
import io.railflux.fabric.sim.events.EventQueue;
import io.railflux.fabric.sim.events.SimRandom;
import io.railflux.fabric.sim.events.Trace;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Hosts, links and virtual time. Single-threaded; nothing happens unless a caller runs events.
 *
 * <p>The seed and the calls of the driver determine a run. {@link #traceHash()} is equal for equal runs, on every
 * JDK.
 */
public final class SimNetwork {

  private final long seed;
  private final SimConfig config;
  private final Trace trace = new Trace();
  private final EventQueue events = new EventQueue(trace);
  private final TreeMap<String, Long> faultCounts = new TreeMap<>();
  private final SimRandom random;
  private final SimRandom driverRandom;
  private final Map<String, SimHost> hosts = new TreeMap<>();
  private final Map<String, SimLink> links = new LinkedHashMap<>();
  private SimFaults faults;
  private long lastId;
  private long lastArrivalAt;

  /**
   * Creates a network of one rail, {@link SimConfig#rdma()}.
   *
   * @param seed seed of all choices
   */
  public SimNetwork(long seed) {
    this(seed, SimConfig.rdma());
  }

  /**
   * Creates a network.
   *
   * @param seed seed of all choices
   * @param config the configuration
   */
  public SimNetwork(long seed, SimConfig config) {
    this.seed = seed;
    this.config = config;
    this.faults = config.faults();
    this.random = new SimRandom(seed);
    this.driverRandom = new SimRandom(SimRandom.mix(seed + 1));
  }

  /**
   * Returns the configuration.
   *
   * @return the initial configuration
   */
  public SimConfig config() {
    return config;
  }

  /**
   * Returns a host, which the first call creates with a running process.
   *
   * @param name name of the host, without slash
   * @return the host
   */
  public SimHost host(String name) {
    return hosts.computeIfAbsent(name, n -> new SimHost(this, n));
  }

  /**
   * Returns the link of two hosts.
   *
   * @param a one host
   * @param b the other host
   * @param rail index of the rail
   * @return the link, independent of the order of the hosts
   */
  public SimLink link(SimHost a, SimHost b, int rail) {
    boolean inOrder = a.name().compareTo(b.name()) <= 0;
    SimHost first = inOrder ? a : b;
    SimHost second = inOrder ? b : a;
    String name = rail + "/" + first.name() + "/" + second.name();
    return links.computeIfAbsent(name, n -> new SimLink(this, first, second, rail));
  }

  /**
   * Returns the virtual time.
   *
   * @return nanoseconds from 0
   */
  public long now() {
    return events.now();
  }

  /**
   * Schedules an action of the driver. See {@link SimHost#schedule}.
   *
   * @param delayNanos delay in nanoseconds
   * @param action the action
   */
  public void schedule(long delayNanos, Runnable action) {
    events.after(delayNanos, EventKind.DRIVER, 0, action);
  }

  /**
   * Runs the next event at its time.
   *
   * @return false without an event
   */
  public boolean step() {
    return events.step();
  }

  /**
   * Runs every event up to a time and advances to that time.
   *
   * @param time virtual time in nanoseconds
   */
  public void runUntil(long time) {
    while (events.nextAt() <= time) {
      events.step();
    }
    events.advanceTo(time);
  }

  /**
   * Runs events until a condition holds.
   *
   * @param condition the condition, evaluated after each event
   * @param deadline virtual time in nanoseconds at which to give up
   * @return whether the condition holds
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

  /**
   * Returns the number of scheduled events.
   *
   * @return number of events
   */
  public int pendingEvents() {
    return events.size();
  }

  /**
   * Returns the arrival time of the last message sent so far, at the rate that its link had then.
   *
   * @return virtual time in nanoseconds
   */
  public long lastArrivalAt() {
    return lastArrivalAt;
  }

  void arrivesAt(long time) {
    lastArrivalAt = Math.max(lastArrivalAt, time);
  }

  /**
   * Returns the time of the next event.
   *
   * @return virtual time in nanoseconds; {@link Long#MAX_VALUE} without an event
   */
  public long nextEventAt() {
    return events.nextAt();
  }

  /**
   * Returns the hash of all events so far.
   *
   * @return the hash
   */
  public long traceHash() {
    return trace.hash();
  }

  /**
   * Sets a receiver of every event as a line of text.
   *
   * @param listener the receiver; null for none, at no cost
   */
  public void traceListener(Consumer<String> listener) {
    trace.listener(listener);
  }

  /**
   * Returns the number of injected faults.
   *
   * @return counts by kind
   */
  public Map<String, Long> faultCounts() {
    return Collections.unmodifiableMap(new TreeMap<>(faultCounts));
  }

  /**
   * Sets the rates of faults from now on.
   *
   * @param newFaults the rates
   */
  public void faults(SimFaults newFaults) {
    faults = newFaults;
  }

  /**
   * Returns the present rates of faults.
   *
   * @return the rates
   */
  public SimFaults faults() {
    return faults;
  }

  /**
   * Returns seeded random bits for drivers, independent of those of the network.
   *
   * @return 64 random bits
   */
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
    faultCounts.merge(kind, 1L, Long::sum);
  }

  void record(EventKind kind, long subject, long detail) {
    trace.record(now(), kind, subject, detail);
  }

  long nextId() {
    return ++lastId;
  }
}
