package io.railflux.fabric.sim;

import io.railflux.fabric.Capabilities;
import io.railflux.fabric.Capabilities.Feature;
import io.railflux.fabric.Protection;

/**
 * Configuration of a simulated network.
 *
 * @param rails number of independent networks between all hosts
 * @param capabilities capabilities of the fabrics
 * @param ofFirst capabilities of the fabrics on the first rail
 * @param link initial model of every link
 * @param timings bounds of the simulated hardware
 * @param faults initial rates of faults
 * @param protection protection of all endpoints
 */
public record SimConfig(
    int rails,
    Capabilities capabilities,
    Capabilities ofFirst,
    LinkModel link,
    SimTimings timings,
    SimFaults faults,
    Protection protection) {

  /**
   * Validates the number of rails.
   *
   * @param rails number of independent networks
   * @param capabilities capabilities of the fabrics
   * @param ofFirst capabilities of the fabrics on the first rail
   * @param link initial model of every link
   * @param timings bounds of the simulated hardware
   * @param faults initial rates of faults
   * @param protection protection of all endpoints
   * @throws IllegalArgumentException without a rail
   */
  public SimConfig {
    if (rails < 1) {
      throw new IllegalArgumentException("a network has at least one rail, not " + rails);
    }
  }

  /**
   * Creates one rail like a reliable connection over InfiniBand.
   *
   * @return the configuration
   */
  public static SimConfig rdma() {
    return of(
        Feature.ORDERED_PLACEMENT,
        Feature.WRITE_WITH_IMMEDIATE,
        Feature.READ,
        Feature.OFFLOADED_READS,
        Feature.ATOMICS,
        Feature.FENCED_REQUESTS,
        Feature.USER_MEMORY,
        Feature.EXPOSES_USER_MEMORY);
  }

  /**
   * Creates one rail like TCP: the processor of the peer places bytes, small writes at once.
   *
   * @return the configuration
   */
  public static SimConfig tcp() {
    return of(
        Feature.ORDERED_PLACEMENT,
        Feature.SMALL_WRITES_AT_ONCE,
        Feature.WRITE_WITH_IMMEDIATE,
        Feature.READ,
        Feature.ATOMICS,
        Feature.FENCED_REQUESTS,
        Feature.USER_MEMORY,
        Feature.EXPOSES_USER_MEMORY);
  }

  /**
   * Creates one rail like {@link #rdma()} on which bytes of writes become visible in any order.
   *
   * @return the configuration
   */
  public static SimConfig unordered() {
    return of(
        Feature.WRITE_WITH_IMMEDIATE,
        Feature.READ,
        Feature.OFFLOADED_READS,
        Feature.ATOMICS,
        Feature.FENCED_REQUESTS,
        Feature.USER_MEMORY,
        Feature.EXPOSES_USER_MEMORY);
  }

  /**
   * Creates one rail like shared memory: regions are mapped, and the end of a process is reported.
   *
   * @return the configuration
   */
  public static SimConfig mapped() {
    return of(
        Feature.MAPPED,
        Feature.ORDERED_PLACEMENT,
        Feature.PEER_DEATH_REPORTED,
        Feature.WRITE_WITH_IMMEDIATE,
        Feature.READ,
        Feature.ATOMICS,
        Feature.FENCED_REQUESTS,
        Feature.USER_MEMORY);
  }

  /**
   * Creates one rail with sends, writes and the given features only.
   *
   * @param features further abilities
   * @return the configuration
   */
  public static SimConfig of(Feature... features) {
    Capabilities capabilities =
        new Capabilities(Capabilities.features(features), 8192, 64, 128, 128, 8192);
    return new SimConfig(
        1,
        capabilities,
        capabilities,
        LinkModel.FAST,
        SimTimings.DEFAULT,
        SimFaults.NONE,
        Protection.LOOPBACK);
  }

  /**
   * Sets the number of rails.
   *
   * @param newRails number of rails, at least 1
   * @return a modified copy
   */
  public SimConfig withRails(int newRails) {
    return new SimConfig(newRails, capabilities, ofFirst, link, timings, faults, protection);
  }

  /**
   * Sets the capabilities of all rails.
   *
   * @param newCapabilities the capabilities
   * @return a modified copy
   */
  public SimConfig withCapabilities(Capabilities newCapabilities) {
    return new SimConfig(
        rails, newCapabilities, newCapabilities, link, timings, faults, protection);
  }

  /**
   * Adds a rail of another kind before the others.
   *
   * @param newFirst capabilities of the new rail
   * @return a modified copy
   */
  public SimConfig withFirstRail(Capabilities newFirst) {
    return new SimConfig(rails + 1, capabilities, newFirst, link, timings, faults, protection);
  }

  /**
   * Returns the capabilities of a rail.
   *
   * @param rail index of the rail
   * @return the capabilities
   */
  public Capabilities capabilitiesOf(int rail) {
    return rail == 0 ? ofFirst : capabilities;
  }

  /**
   * Sets the initial model of every link.
   *
   * @param newLink the model
   * @return a modified copy
   */
  public SimConfig withLink(LinkModel newLink) {
    return new SimConfig(rails, capabilities, ofFirst, newLink, timings, faults, protection);
  }

  /**
   * Sets the bounds of the simulated hardware.
   *
   * @param newTimings the bounds
   * @return a modified copy
   */
  public SimConfig withTimings(SimTimings newTimings) {
    return new SimConfig(rails, capabilities, ofFirst, link, newTimings, faults, protection);
  }

  /**
   * Sets the initial rates of faults.
   *
   * @param newFaults the rates
   * @return a modified copy
   */
  public SimConfig withFaults(SimFaults newFaults) {
    return new SimConfig(rails, capabilities, ofFirst, link, timings, newFaults, protection);
  }

  /**
   * Sets the protection of all endpoints. Default {@link Protection#LOOPBACK}.
   *
   * @param newProtection the protection
   * @return a modified copy
   */
  public SimConfig withProtection(Protection newProtection) {
    return new SimConfig(rails, capabilities, ofFirst, link, timings, faults, newProtection);
  }
}
