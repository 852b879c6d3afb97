package io.railflux.fabric;

import java.util.function.BooleanSupplier;

/**
 * Two opened fabrics of one kind that can reach each other, and everything of their surroundings
 * that {@link FabricContract} needs: time, progress, sleep and sudden death.
 */
public interface FabricFixture extends AutoCloseable {

  /** The side that mostly connects and requests. */
  Fabric local();

  /** The side that mostly listens and is written to. */
  Fabric remote();

  /** A location that {@link #remote()} can listen on; a new one with every call. */
  String freeLocation();

  /** A well-formed location that nobody listens at. */
  String deserted();

  /** Polls both fabrics until {@code condition} holds; false when it never does. */
  boolean await(BooleanSupplier condition);

  /** Polls both fabrics for as long as anything under way could still come to light. */
  void settle();

  /**
   * Sleeps as the engine of {@code fabric} would after {@link Fabric#arm}, without polling it; the
   * other side goes on.
   *
   * @return whether something woke it; false when nothing did for so long that nothing will
   */
  boolean sleep(Fabric fabric);

  /** The same where nothing should wake it: false when something did. In real time it looks shorter. */
  default boolean sleepsOn(Fabric fabric) {
    return !sleep(fabric);
  }

  /** Nanoseconds, real or virtual. */
  long nowNanos();

  /** Whether time is virtual, so that a bound on it holds on every machine. */
  default boolean isSimulated() {
    return false;
  }

  /** A third process that listens, accepts, and does nothing else until it is killed. */
  Victim victim() throws Exception;

  @Override
  void close();

  /** A process about to die. */
  interface Victim {

    /** Where it listens, for connections from {@link FabricFixture#local()}. */
    String location();

    /** Ends it at once, without any orderly closing. */
    void kill() throws Exception;
  }
}
