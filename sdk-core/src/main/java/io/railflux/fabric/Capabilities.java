package io.railflux.fabric;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * Abilities and limits that a fabric declares. The engine selects its mechanisms by them and logs missing abilities.
 *
 * @param features optional abilities
 * @param maxSendBytes longest {@link Opcode#SEND} in bytes
 * @param maxInlineBytes longest request in bytes whose local memory is free when post returns, unless the request is
 *     fenced
 * @param sendQueueDepth outstanding requests per endpoint; polling a completion frees the places of its request and
 *     of all earlier ones
 * @param receiveQueueDepth posted receives per endpoint
 * @param eagerLimitBytes largest message in bytes for which a copy through a ring is efficient
 * @param maxOutstandingReads reads and atomics of one endpoint that proceed concurrently, 0 without such requests;
 *     further ones wait in the send queue and delay later requests
 */
public record Capabilities(
    Set<Feature> features,
    int maxSendBytes,
    int maxInlineBytes,
    int sendQueueDepth,
    int receiveQueueDepth,
    int eagerLimitBytes,
    int maxOutstandingReads) {

  /** Longest write in bytes that {@link Feature#SMALL_WRITES_AT_ONCE} applies to. */
  public static final int SMALL_WRITE_BYTES = 8 << 10;

  /** Default of {@link #maxOutstandingReads()} where the device reports none. */
  public static final int USUAL_OUTSTANDING_READS = 16;

  /** Optional ability of a fabric. */
  public enum Feature {
    /** Remote regions can be mapped: {@link RemoteRegion#mapped()} is not null. */
    MAPPED,
    /** Bytes of one write become visible in address order, later writes after earlier ones. */
    ORDERED_PLACEMENT,
    /**
     * The first eight bytes of a write of up to {@link #SMALL_WRITE_BYTES} become visible together with its last
     * bytes, so that a visible publish word implies a complete write.
     */
    SMALL_WRITES_AT_ONCE,
    /** The fabric reports the end of the peer's process within 100 ms, so that silence does not imply death. */
    PEER_DEATH_REPORTED,
    /** Supports {@link Opcode#WRITE_WITH_IMMEDIATE}. */
    WRITE_WITH_IMMEDIATE,
    /** Supports {@link Opcode#READ}. */
    READ,
    /** A device serves {@link #READ} without the processor of the peer. */
    OFFLOADED_READS,
    /** Supports {@link Opcode#FETCH_ADD} and {@link Opcode#COMPARE_SWAP}. */
    ATOMICS,
    /** Supports {@link WorkRequest#solicited}. */
    SOLICITED_EVENTS,
    /** Supports {@link WorkRequest#fenced}. */
    FENCED_REQUESTS,
    /** {@link Fabric#register} accepts any direct buffer without copying on use. */
    USER_MEMORY,
    /** {@link Fabric#register} takes no time, so that caching registrations has no benefit. */
    REGISTERS_AT_NO_COST,
    /** {@link Endpoint#expose(java.nio.ByteBuffer, Access)} accepts memory of the caller. */
    EXPOSES_USER_MEMORY,
    /**
     * Locations are {@code host:port} of the interfaces of a host. One listener at {@code *:port} accepts connections
     * at the address of every interface. Nodes announce these addresses to their peers, and connect to those that
     * peers announce. A fabric that only some interfaces serve, such as RDMA, does not declare it.
     */
    INTERFACE_ADDRESSES,
    /** Endpoints may share a receive queue. Reserved. */
    SHARED_RECEIVE_QUEUE,
    /** Supports unconnected endpoints. Reserved. */
    DATAGRAM,
    /** Endpoints of several processes may share a connection. Reserved. */
    EXTENDED_SHARING,
    /** Endpoints connect on demand of single requests. Reserved. */
    DYNAMIC_CONNECTIONS,
    /** Endpoints migrate to an alternate path. Reserved. */
    ALTERNATE_PATHS
  }

  /**
   * Copies the features in the order of their declaration.
   *
   * @param features optional abilities
   * @param maxSendBytes longest send in bytes
   * @param maxInlineBytes longest inline request in bytes
   * @param sendQueueDepth outstanding requests per endpoint
   * @param receiveQueueDepth posted receives per endpoint
   * @param eagerLimitBytes largest eager message in bytes
   * @param maxOutstandingReads concurrent reads and atomics per endpoint
   */
  public Capabilities {
    // The order of a hash set of enums differs between JVMs, and with it the output of a run.
    features = Collections.unmodifiableSet(ordered(features));
  }

  /**
   * Creates capabilities with {@link #USUAL_OUTSTANDING_READS} if {@link Feature#READ} is present, otherwise without
   * reads.
   *
   * @param features optional abilities
   * @param maxSendBytes longest send in bytes
   * @param maxInlineBytes longest inline request in bytes
   * @param sendQueueDepth outstanding requests per endpoint
   * @param receiveQueueDepth posted receives per endpoint
   * @param eagerLimitBytes largest eager message in bytes
   */
  public Capabilities(
      Set<Feature> features,
      int maxSendBytes,
      int maxInlineBytes,
      int sendQueueDepth,
      int receiveQueueDepth,
      int eagerLimitBytes) {
    this(
        features,
        maxSendBytes,
        maxInlineBytes,
        sendQueueDepth,
        receiveQueueDepth,
        eagerLimitBytes,
        features.contains(Feature.READ) ? USUAL_OUTSTANDING_READS : 0);
  }

  /**
   * Creates a set of features.
   *
   * @param features the features
   * @return a set in the order of their declaration
   */
  public static Set<Feature> features(Feature... features) {
    return ordered(Arrays.asList(features));
  }

  private static Set<Feature> ordered(Collection<Feature> features) {
    EnumSet<Feature> set = EnumSet.noneOf(Feature.class);
    set.addAll(features);
    return set;
  }

  /**
   * Returns whether the fabric has an ability.
   *
   * @param feature the ability
   * @return true if declared
   */
  public boolean has(Feature feature) {
    return features.contains(feature);
  }

  /**
   * Returns whether remote regions can be mapped.
   *
   * @return true with {@link Feature#MAPPED}
   */
  public boolean mapped() {
    return has(Feature.MAPPED);
  }

  /**
   * Returns whether bytes become visible in address order.
   *
   * @return true with {@link Feature#ORDERED_PLACEMENT}
   */
  public boolean orderedPlacement() {
    return has(Feature.ORDERED_PLACEMENT);
  }
}
