package io.railflux.engine.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Records whose user code the engine thread runs, so that a watchdog on another thread can name it. The engine
 * thread writes the record once for consecutive calls of one occupant; any thread reads it. Without a watchdog, as
 * in a simulation, the record has no other effect.
 */
public final class Occupancy {

  /** A stream, route or task whose user code runs on the engine thread. */
  public interface Occupant {

    /** Describes the code and names the peer, for messages to people. Any thread. */
    String describe();
  }

  /** A task of no known stream or route. */
  public static final Occupant TASK = () ->
      "a task (a subscription, a call of a node's or peer's method, or a signal of another thread)";

  private static final VarHandle OCCUPANT = occupant();

  @SuppressWarnings("UnusedVariable") // Other threads read it through OCCUPANT.
  private Occupant current;

  private Runnable watchdog = () -> {};
  private volatile boolean watched = true;

  private static VarHandle occupant() {
    try {
      return MethodHandles.lookup().findVarHandle(Occupancy.class, "current", Occupant.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Sets the action for user code that begins while no watchdog watches. Before the engine thread starts. */
  public void watchedBy(Runnable newWatchdog) {
    watchdog = newWatchdog;
  }

  /**
   * Sets whether a watchdog watches {@link #current}. After it sets true, the watchdog looks again before it
   * sleeps.
   */
  public void watched(boolean now) {
    watched = now;
  }

  /** Records that the engine calls user code of {@code occupant} from outside any other user code. */
  public void enter(Occupant occupant) {
    if (current != occupant) {
      change(occupant);
    }
  }

  /** As {@link #enter}, but possibly within user code of a stream or route, which stays the occupant. */
  public void enterWithin(Occupant occupant) {
    if (current == null || current == TASK) {
      change(occupant);
    }
  }

  /** Records that no user code runs. */
  public void leave() {
    if (current != null) {
      OCCUPANT.setOpaque(this, null);
    }
  }

  private void change(Occupant occupant) {
    OCCUPANT.setOpaque(this, occupant);
    if (!watched) {
      watched = true;
      watchdog.run();
    }
  }

  /** Returns the owner of the running user code, or null. Any thread. */
  public Occupant current() {
    return (Occupant) OCCUPANT.getOpaque(this);
  }
}
