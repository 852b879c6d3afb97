package io.railflux.fabric.sim;

import io.railflux.fabric.sim.events.EventKind;
import io.railflux.fabric.sim.events.SimRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Hosts, links and virtual time. Single-threaded; nothing happens unless a caller runs world.events().
 *
 * <p>The seed and the calls of the driver determine a run. {@link #traceHash()} is equal for equal runs, on every
 * JDK.
 */
public final class SimNetwork {

  private final long seed;
  private final SimWorld world;
  private final SimRandom driverRandom;
  private final Map<String, SimHost> hosts = new TreeMap<>();
  private final Map<String, SimLink> links = new LinkedHashMap<>();

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
    this.world = new SimWorld(seed, config);
    this.driverRandom = new SimRandom(SimRandom.mix(seed + 1));
  }

  /**
   * Returns the configuration.
   *
   * @return the initial configuration
   */
  public SimConfig config() {
    return world.config();
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
    return links.computeIfAbsent(name, n -> new SimLink(world, first, second, rail));
  }

  /**
   * Returns the virtual time.
   *
   * @return nanoseconds from 0
   */
  public long now() {
    return world.now();
  }

  /**
   * Schedules an action of the driver. See {@link SimHost#schedule}.
   *
   * @param delayNanos delay in nanoseconds
   * @param action the action
   */
  public void schedule(long delayNanos, Runnable action) {
    world.events().after(delayNanos, EventKind.DRIVER, 0, action);
  }

  /**
   * Runs the next event at its time.
   *
   * @return false without an event
   */
  public boolean step() {
    return world.events().step();
  }

  /**
   * Runs every event up to a time and advances to that time.
   *
   * @param time virtual time in nanoseconds
   */
  public void runUntil(long time) {
    while (world.events().nextAt() <= time) {
      world.events().step();
    }
    world.events().advanceTo(time);
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
      if (world.events().nextAt() > deadline) {
        world.events().advanceTo(deadline);
        return condition.getAsBoolean();
      }
      world.events().step();
    }
    return true;
  }

  /**
   * Returns the number of scheduled world.events().
   *
   * @return number of events
   */
  public int pendingEvents() {
    return world.events().size();
  }

  /**
   * Returns the arrival time of the last message sent so far, at the rate that its link had then.
   *
   * @return virtual time in nanoseconds
   */
  public long lastArrivalAt() {
    return world.lastArrivalAt();
  }

  /**
   * Returns the time of the next event.
   *
   * @return virtual time in nanoseconds; {@link Long#MAX_VALUE} without an event
   */
  public long nextEventAt() {
    return world.events().nextAt();
  }

  /**
   * Returns the hash of all events so far.
   *
   * @return the hash
   */
  public long traceHash() {
    return world.traceHash();
  }

  /**
   * Sets a receiver of every event as a line of text.
   *
   * @param listener the receiver; null for none, at no cost
   */
  public void traceListener(Consumer<String> listener) {
    world.traceListener(listener);
  }

  /**
   * Returns the number of injected faults.
   *
   * @return counts by kind
   */
  public Map<String, Long> faultCounts() {
    return world.faultCounts();
  }

  /**
   * Sets the rates of faults from now on.
   *
   * @param newFaults the rates
   */
  public void faults(SimFaults newFaults) {
    world.faults(newFaults);
  }

  /**
   * Returns the present rates of faults.
   *
   * @return the rates
   */
  public SimFaults faults() {
    return world.faults();
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

  SimWorld world() {
    return world;
  }
}
