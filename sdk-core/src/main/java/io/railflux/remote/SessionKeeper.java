package io.railflux.remote;

import io.railflux.exceptions.FabricUnavailableException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a session with the node at one address: connects when a session is needed first, and again after each end.
 * Engine thread only.
 *
 * @param <S> a session
 */
final class SessionKeeper<S> {

  /**
   * Life of a keeper. Allowed transitions:
   *
   * <pre>
   *   IDLE        --a session is needed-----------> CONNECTING
   *   CONNECTING  --session established-----------> CONNECTED
   *   CONNECTING  --attempt failed----------------> BACKING_OFF
   *   CONNECTING  --attempt can never succeed-----> FAILED
   *   BACKING_OFF --backoff elapsed---------------> CONNECTING
   *   CONNECTED   --session drains or has ended---> CONNECTING
   *   CONNECTED   --ended soon after its begin----> BACKING_OFF
   *   any other   --closed------------------------> CLOSED
   * </pre>
   */
  enum State {
    /** No session was needed so far. */
    IDLE,
    CONNECTING,
    CONNECTED,
    /** The last attempt failed. The next one follows after the backoff. */
    BACKING_OFF,
    /** The last attempt failed for a reason that no further attempt changes. */
    FAILED,
    CLOSED;

    boolean canBecome(State next) {
      return switch (this) {
        case IDLE, BACKING_OFF -> next == CONNECTING || next == CLOSED;
        case CONNECTING -> next != IDLE && next != CONNECTING;
        case CONNECTED -> next == CONNECTING || next == BACKING_OFF || next == CLOSED;
        case FAILED -> next == CLOSED;
        case CLOSED -> false;
      };
    }
  }

  /** Connects to one address. */
  interface Connector<S> {

    /**
     * Begins an attempt. One of the callbacks follows on the engine thread, never inside this call.
     *
     * @return an action that gives the attempt up; no callback follows
     */
    Runnable connect(Consumer<S> established, Consumer<Throwable> failed);
  }

  /** Receives what happens to the keeper. Engine thread. */
  interface Listener<S> {

    void established(SessionKeeper<S> keeper, S session);

    /** The session takes no further work: it drains, or it has ended. */
    void retired(SessionKeeper<S> keeper, S session);

    /** An attempt failed; {@code attempts} counts the failures since the last session. */
    void failed(SessionKeeper<S> keeper, Throwable cause, int attempts);
  }

  private final String address;
  private final Connector<S> connector;
  private final Ticks ticks;
  private final Backoff backoff;
  private final Listener<S> listener;

  private State state = State.IDLE;
  private @Nullable S session;
  private @Nullable Throwable lastFailure;
  // Failed attempts and short sessions in succession.
  private int failures;
  private long establishedNanos;
  // Gives up the attempt, or cancels the backoff.
  private Runnable pending = () -> {};

  SessionKeeper(
      String address, Connector<S> connector, Ticks ticks, Backoff backoff, Listener<S> listener) {
    this.address = address;
    this.connector = connector;
    this.ticks = ticks;
    this.backoff = backoff;
    this.listener = listener;
  }

  String address() {
    return address;
  }

  State state() {
    return state;
  }

  /** Returns the cause of the last failed attempt since the last session; null without one. */
  @Nullable
  Throwable lastFailure() {
    return lastFailure;
  }

  /** Connects unless there is a session or an attempt. A backoff in progress is not shortened. */
  void need() {
    if (state == State.IDLE) {
      connect();
    }
  }

  /** The session drains or has ended. Ignored for an earlier session. */
  void retire(S retired) {
    if (state == State.CONNECTED && retired.equals(session)) {
      session = null;
      listener.retired(this, retired);
      if (ticks.nowNanos() - establishedNanos >= backoff.maxNanos()) {
        failures = 0;
        connect();
      } else if (failures == 0) {
        // The first short session in succession.
        failures = 1;
        connect();
      } else {
        backOff();
      }
    }
  }

  private void backOff() {
    if (state != State.CLOSED) {
      become(State.BACKING_OFF);
      pending = ticks.after(backoff.nanos(failures++, ticks.random()), this::connect);
    }
  }

  void close() {
    if (state != State.CLOSED) {
      become(State.CLOSED);
      pending.run();
      session = null;
    }
  }

  private void connect() {
    if (state == State.CLOSED) {
      // The listener closed the keeper.
      return;
    }
    become(State.CONNECTING);
    pending = connector.connect(this::established, this::failed);
  }

  private void established(S established) {
    become(State.CONNECTED);
    pending = () -> {};
    session = established;
    establishedNanos = ticks.nowNanos();
    lastFailure = null;
    listener.established(this, established);
  }

  private void failed(Throwable cause) {
    failures++;
    lastFailure = cause;
    if (isPermanent(cause)) {
      become(State.FAILED);
      pending = () -> {};
    } else {
      become(State.BACKING_OFF);
      pending = ticks.after(backoff.nanos(failures, ticks.random()), this::connect);
    }
    listener.failed(this, cause, failures);
  }

  /** Whether the address or the fabrics of the node are the cause: both stay as they are. */
  private static boolean isPermanent(Throwable cause) {
    return cause instanceof IllegalArgumentException || cause instanceof FabricUnavailableException;
  }

  private void become(State next) {
    if (!state.canBecome(next)) {
      throw new IllegalStateException("remote " + address + ": " + state + " to " + next);
    }
    state = next;
  }

  @Override
  public String toString() {
    return address + " " + state;
  }
}
