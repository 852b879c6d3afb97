package io.railflux.engine;

import io.railflux.fabric.SocketLoop;
import io.railflux.fabric.base.NettyFitness;
import java.util.function.LongSupplier;

/**
 * The only place where an engine's thread waits for sockets (D5). Ready sockets are handled on that thread, inside
 * {@link #runNow} and {@link #sleep}.
 */
public interface IoLoop extends SocketLoop, AutoCloseable {

  /**
   * Returns Netty's loop if the Netty version on the class path permits, otherwise a JDK selector.
   *
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  static IoLoop fastest(LongSupplier nanoTime) {
    return NettyFitness.here().available() ? NettyLoop.fastest() : new SelectorLoop(nanoTime);
  }

  /** Returns a thread that suits the loop. Reactor refuses to block on it. Any thread. */
  Thread newThread(Runnable task, String name);

  /** Makes the calling thread the only thread that drives the loop. */
  void begin();

  /** Runs ready events without waiting. Returns their number. */
  int runNow();

  /**
   * Waits for a ready event, a {@link #wakeUp} or the time-out, and runs ready events.
   *
   * @param nanos greater than 0; the loop may be up to a millisecond late
   * @return the number of events that ran
   */
  int sleep(long nanos);

  /** Ends the current sleep, or prevents the next sleep. Any thread. */
  void wakeUp();

  /**
   * Closes the loop. All channels should be closed before. Called by the owner, or by any thread before {@link #begin}.
   */
  @Override
  void close();
}
