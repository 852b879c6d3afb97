package io.railflux.fabric;

import java.util.function.BooleanSupplier;

/**
 * Two opened fabrics of one kind that can connect, and the surroundings that {@link FabricContract} needs: time,
 * progress, sleep and sudden death.
 */
public interface FabricFixture extends AutoCloseable {

  /** Returns the side that mainly connects and posts requests. */
  Fabric local();

  /** Returns the side that mainly listens and receives writes. */
  Fabric remote();

  /** Returns a location for {@link #remote()}, a new one for every call. */
  String freeLocation();

  /** Returns a valid location without a listener. */
  String deserted();

  /** Polls both fabrics until {@code condition} holds. Returns false if it never holds. */
  boolean await(BooleanSupplier condition);

  /** Polls both fabrics until everything in flight has had its effect. */
  void settle();

  /**
   * Sleeps as the engine of {@code fabric} would after {@link Fabric#arm}, without polling it. The other side
   * continues.
   * @return whether a wake-up occurred; false after a time without events
   */
  boolean sleep(Fabric fabric);

  /** Sleeps where no wake-up is expected. Returns false after a wake-up. In real time the wait is shorter. */
  default boolean sleepsOn(Fabric fabric) {
    return !sleep(fabric);
  }

  /** Returns the real or virtual time in nanoseconds. */
  long nowNanos();

  /** Returns whether time is virtual, so that time bounds hold on every machine. */
  default boolean isSimulated() {
    return false;
  }

  /** Starts a third process that listens and accepts until it is killed. */
  Victim victim() throws Exception;

  @Override
  void close();

  /** A process that a test kills. */
  interface Victim {

    /** Returns the location of its listener, for connections from {@link FabricFixture#local()}. */
    String location();

    /** Ends the process immediately, without an orderly close. */
    void kill() throws Exception;
  }
}
