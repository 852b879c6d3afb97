package io.railflux.fabric.sim;

import io.railflux.fabric.Capabilities;
import io.railflux.fabric.Capabilities.Feature;
import io.railflux.fabric.Protection;

/**
 * What kind of network is simulated.
 *
 * @param rails independent networks between all hosts
 * @param capabilities what the fabrics declare, and therefore do
 * @param ofFirst the same of the first rail
 * @param link every link until it is changed
 * @param timings bounds of the hardware
 * @param faults rates of injected faults at the start
 * @param protection what its endpoints tell
 */
public record SimConfig(
    int rails,
    Capabilities capabilities,
    Capabilities ofFirst,
    LinkModel link,
    SimTimings timings,
    SimFaults faults,
    Protection protection) {

  public SimConfig {
    if (rails < 1) {
      throw new IllegalArgumentException("a network has at least one rail, not " + rails);
    }
  }

  /** One rail like a reliable connection over InfiniBand. */
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

  /** Like TCP: the peer's processor places what arrives, small writes at once. */
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

  /** Like {@link #rdma()} where the bytes of writes become visible in any order. */
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

  /** Like shared memory: regions are mapped, the end of a process is reported. */
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

  /** Sends and writes only, like the least a fabric may offer, plus {@code features}. */
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

  public SimConfig withRails(int newRails) {
    return new SimConfig(newRails, capabilities, ofFirst, link, timings, faults, protection);
  }

  public SimConfig withCapabilities(Capabilities newCapabilities) {
    return new SimConfig(
        rails, newCapabilities, newCapabilities, link, timings, faults, protection);
  }

  /** One rail more, before the others, of another kind. */
  public SimConfig withFirstRail(Capabilities newFirst) {
    return new SimConfig(rails + 1, capabilities, newFirst, link, timings, faults, protection);
  }

  public Capabilities capabilitiesOf(int rail) {
    return rail == 0 ? ofFirst : capabilities;
  }

  public SimConfig withLink(LinkModel newLink) {
    return new SimConfig(rails, capabilities, ofFirst, newLink, timings, faults, protection);
  }

  public SimConfig withTimings(SimTimings newTimings) {
    return new SimConfig(rails, capabilities, ofFirst, link, newTimings, faults, protection);
  }

  public SimConfig withFaults(SimFaults newFaults) {
    return new SimConfig(rails, capabilities, ofFirst, link, timings, newFaults, protection);
  }

  /** As if the network were within one host, which is so at the start, or were not. */
  public SimConfig withProtection(Protection newProtection) {
    return new SimConfig(rails, capabilities, ofFirst, link, timings, faults, newProtection);
  }
}
