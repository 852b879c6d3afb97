package io.railflux.engine.session;

import io.railflux.engine.base.ChannelCounters;
import io.railflux.engine.base.EngineContext;
import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.path.PathRepository;
import io.railflux.engine.path.SessionContext;
import io.railflux.engine.path.Subchannel;
import io.railflux.exceptions.PeerClosedException;
import io.railflux.metrics.PeerReadings;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The state of a session, as its parts and the layers below see it. An end that occurs within a duty cycle takes effect
 * after the cycle, when no ring is being read. Engine thread only, except {@link #description}.
 */
public final class SessionLifecycle implements SessionContext {

  /**
   * State of a session. Allowed transitions:
   *
   * <pre>
   *   ESTABLISHED --last subchannel lost--> PAUSED
   *   PAUSED      --subchannel live-------> ESTABLISHED
   *   ESTABLISHED, PAUSED --close---------> CLOSING
   *   any other   --abort, drained, lost--> CLOSED
   * </pre>
   */
  public enum State {
    ESTABLISHED,
    /** No live rail: streams pause, no data is lost, and memory stays bounded (FT5). */
    PAUSED,
    /** Draining: accepted messages are delivered, new messages are not accepted. */
    CLOSING,
    CLOSED;

    public boolean canBecome(State next) {
      return switch (this) {
        case ESTABLISHED -> next != ESTABLISHED;
        case PAUSED -> next != PAUSED;
        case CLOSING -> next == CLOSED;
        case CLOSED -> false;
      };
    }
  }

  /** The parts of the session, which act together. */
  interface Parts {

    /** Ends the session: calls {@link #closed} when the peer was notified, then ends all parts. */
    void end(StreamFailure failure);

    /** Takes a subchannel out of service. */
    void failSubchannel(Subchannel subchannel, String reason);

    boolean isReplaying();

    PeerReadings readings();
  }

  private final EngineContext engine;
  private final BiConsumer<String, String> violations;
  private final String peerName;
  private final PathRepository paths;
  private final List<Subchannel> live;
  private final ChannelCounters counters;
  private Parts parts;
  private State state = State.ESTABLISHED;

  // Not a state: a drain begins before GOODBYE is sent, while rails may still be lost and return.
  private boolean draining;
  private boolean inCycle;
  private StreamFailure deferredEnd;

  /** @param violations receives the host of the peer, and a text that names the peer and its violation */
  SessionLifecycle(
      EngineContext engine,
      BiConsumer<String, String> violations,
      String peerName,
      PathRepository paths) {
    this.engine = engine;
    this.violations = violations;
    this.peerName = peerName;
    this.paths = paths;
    this.live = paths.live();
    this.counters = new ChannelCounters(engine);
  }

  /** Completes the construction of the session. */
  void begin(Parts allParts) {
    parts = allParts;
  }

  State state() {
    return state;
  }

  void beginCycle() {
    inCycle = true;
  }

  /** Ends the cycle. An end that is due takes effect with {@link #endIfDue} or the next failure. */
  void endCycle() {
    inCycle = false;
  }

  /** Ends the session if its end became due during the cycle. */
  void endIfDue() {
    if (deferredEnd != null) {
      end(deferredEnd);
    }
  }

  /** Ends the session. Within a duty cycle, the end takes effect after the cycle. */
  void lose(StreamFailure failure) {
    if (state == State.CLOSED) {
      return;
    }
    if (!inCycle) {
      end(failure);
    } else if (deferredEnd == null) {
      deferredEnd = failure;
    }
  }

  /** Ends the session after a failed duty cycle. */
  void fault(Throwable cause) {
    inCycle = false;
    end(new StreamFailure(
        StreamFailure.Kind.LOST, description() + " ended by a fault of this node: " + cause));
  }

  private void end(StreamFailure failure) {
    if (state != State.CLOSED) {
      deferredEnd = null;
      parts.end(failure);
    }
  }

  /** Notes that a drain begins. */
  void drains() {
    draining = true;
  }

  /** Notes that GOODBYE is on its way. */
  void goodbyeSent() {
    if (state != State.CLOSED) {
      become(State.CLOSING);
    }
  }

  void closed() {
    become(State.CLOSED);
  }

  /** Notes that the last rail was lost. Returns whether the session pauses. */
  boolean pauses() {
    boolean pauses = state == State.ESTABLISHED;
    if (pauses) {
      become(State.PAUSED);
    }
    return pauses;
  }

  /** Notes that a rail is live. Returns whether the session was paused. */
  boolean resumes() {
    boolean resumes = state == State.PAUSED;
    if (resumes) {
      become(State.ESTABLISHED);
    }
    return resumes;
  }

  private void become(State next) {
    if (!state.canBecome(next)) {
      throw new IllegalStateException(description() + ": " + state + " to " + next);
    }
    state = next;
  }

  @Override
  public boolean isClosing() {
    return draining;
  }

  @Override
  public boolean isClosed() {
    return state == State.CLOSED || deferredEnd != null;
  }

  @Override
  public void violated(String what) {
    String text = description() + " violated the protocol: " + what;
    if (!isClosed()) {
      violations.accept(paths.lastHost(), text);
    }
    lose(new StreamFailure(StreamFailure.Kind.VIOLATION, text));
  }

  @Override
  public PeerClosedException closedError(String what) {
    return new PeerClosedException(
        what + ": " + description() + (isClosed() ? " is closed" : " is closing"), true);
  }

  @Override
  public void failSubchannel(Subchannel subchannel, String reason) {
    parts.failSubchannel(subchannel, reason);
  }

  @Override
  public boolean isReplaying() {
    return parts.isReplaying();
  }

  @Override
  public String description() {
    return "peer '" + peerName + "' (" + paths.lastLocation() + ")";
  }

  @Override
  public String peerName() {
    return peerName;
  }

  @Override
  public EngineContext engine() {
    return engine;
  }

  @Override
  public ChannelCounters counters() {
    return counters;
  }

  @Override
  public PeerReadings readings() {
    return parts.readings();
  }

  @Override
  public List<Subchannel> live() {
    return live;
  }

  @Override
  public PathRepository paths() {
    return paths;
  }
}
