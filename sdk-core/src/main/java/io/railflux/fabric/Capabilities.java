package io.railflux.fabric;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a fabric declares about itself; the engine chooses by these and says so when it has to do
 * without.
 *
 * @param features the optional abilities present
 * @param maxSendBytes longest {@link Opcode#SEND}
 * @param maxInlineBytes longest request whose local memory is free again when post returns, unless
 *     it is fenced
 * @param sendQueueDepth requests outstanding per endpoint; a place is free again when a completion at
 *     or behind it was polled
 * @param receiveQueueDepth receives posted per endpoint
 * @param eagerLimitBytes largest message worth copying through a ring here
 * @param maxOutstandingReads reads and atomics of one endpoint that are worked on at a time, 0 where
 *     there are none; what is posted beyond waits in the send queue and delays everything behind it
 */
public record Capabilities(
    Set<Feature> features,
    int maxSendBytes,
    int maxInlineBytes,
    int sendQueueDepth,
    int receiveQueueDepth,
    int eagerLimitBytes,
    int maxOutstandingReads) {

  /** How long a write may be that {@link Feature#SMALL_WRITES_AT_ONCE} speaks of. */
  public static final int SMALL_WRITE_BYTES = 8 << 10;

  /** What queue pairs are commonly made with where the device does not say. */
  public static final int USUAL_OUTSTANDING_READS = 16;

  /** Optional abilities. */
  public enum Feature {
    /** Remote regions can be mapped: {@link RemoteRegion#mapped()} is not null. */
    MAPPED,
    /** Bytes of one write become visible in address order, later writes after earlier ones. */
    ORDERED_PLACEMENT,
    /**
     * Of a write of up to {@link #SMALL_WRITE_BYTES} the first eight bytes become visible together with
     * the last ones: whoever sees them sees the whole.
     */
    SMALL_WRITES_AT_ONCE,
    /** The loss of the peer's process is reported within 100 ms: silence is not death. */
    PEER_DEATH_REPORTED,
    WRITE_WITH_IMMEDIATE,
    READ,
    /** A device serves {@link #READ}: the peer's processor neither acts nor copies. */
    OFFLOADED_READS,
    ATOMICS,
    SOLICITED_EVENTS,
    FENCED_REQUESTS,
    /** {@link Fabric#register} takes any direct buffer without copying on use. */
    USER_MEMORY,
    /** {@link Endpoint#expose(java.nio.ByteBuffer, Access)} takes memory of the caller. */
    EXPOSES_USER_MEMORY,
    SHARED_RECEIVE_QUEUE,
    DATAGRAM,
    EXTENDED_SHARING,
    DYNAMIC_CONNECTIONS,
    ALTERNATE_PATHS
  }

  public Capabilities {
    // Of a hash set of enums the order differs from JVM to JVM, and with it what a run prints.
    features = Collections.unmodifiableSet(ordered(features));
  }

  /** With the usual number of outstanding reads where {@link Feature#READ} is there. */
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

  public static Set<Feature> features(Feature... features) {
    return ordered(Arrays.asList(features));
  }

  private static Set<Feature> ordered(Collection<Feature> features) {
    EnumSet<Feature> set = EnumSet.noneOf(Feature.class);
    set.addAll(features);
    return set;
  }

  public boolean has(Feature feature) {
    return features.contains(feature);
  }

  public boolean mapped() {
    return has(Feature.MAPPED);
  }

  public boolean orderedPlacement() {
    return has(Feature.ORDERED_PLACEMENT);
  }
}
