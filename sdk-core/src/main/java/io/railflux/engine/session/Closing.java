package io.railflux.engine.session;

import io.railflux.engine.base.EngineContext;
import io.railflux.engine.base.Guarded;
import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.base.Timers;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.send.ControlFrame;
import io.railflux.engine.send.ControlQueue;
import io.railflux.engine.send.SendWindow;
import io.railflux.engine.stream.Streams;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import io.railflux.wire.GoodbyeFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a channel. A drain stops producers and waits until accepted stream elements are acknowledged and all
 * requests are answered. It then sends GOODBYE. The drain ends when GOODBYE is acknowledged and the peer has sent its
 * own, or when the drain bound expires. Engine thread only.
 */
public final class Closing {

  private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

  private final SessionLifecycle session;
  private final EngineContext engine;
  private final Timers timers;
  private final Streams streams;
  private final ControlQueue control;
  private final SendWindow window;
  private final List<Subchannel> live;
  private final long drainNanos;
  private final List<Consumer<StreamFailure>> listeners = new ArrayList<>();
  private final List<Runnable> beginListeners = new ArrayList<>();
  private boolean beginSignalled;
  private boolean goodbyeSent;
  private boolean goodbyeReceived;
  private boolean ended;
  private StreamFailure failure;
  private Timers.Timer bound;

  Closing(
      SessionLifecycle session,
      Streams streams,
      ControlQueue control,
      SendWindow window,
      long drainNanos) {
    this.session = session;
    this.engine = session.engine();
    this.timers = engine.timers();
    this.streams = streams;
    this.control = control;
    this.window = window;
    this.live = session.live();
    this.drainNanos = drainNanos;
  }

  /** Adds a listener for the end of the channel. Returns an action that removes the listener. */
  Runnable onEnd(Consumer<StreamFailure> listener) {
    if (ended) {
      listener.accept(failure);
    } else {
      listeners.add(listener);
    }
    return () -> listeners.remove(listener);
  }

  /**
   * Adds a listener for the begin of a drain by either side, or for an end without one. Returns an action that removes the
   * listener.
   */
  Runnable onBegin(Runnable listener) {
    if (beginSignalled) {
      listener.run();
    } else {
      beginListeners.add(listener);
    }
    return () -> beginListeners.remove(listener);
  }

  /** Handles the begin of the peer's drain. The session continues until the peer's GOODBYE. */
  void onPeerBegin(String reason) {
    if (beginSignalled) {
      return;
    }
    LOG.info("{} is closing{}", session.description(), reason.isEmpty() ? "" : ": " + reason);
    signalBegin();
  }

  private void signalBegin() {
    beginSignalled = true;
    List<Runnable> signalled = new ArrayList<>(beginListeners);
    beginListeners.clear();
    signalled.forEach(listener -> Guarded.run("closing", listener));
  }

  void begin(Consumer<StreamFailure> done) {
    onEnd(done);
    if (session.isClosing() || ended) {
      return;
    }
    session.drains();
    signalBegin();
    if (!goodbyeReceived) {
      sendReason(FrameType.CLOSING, FrameFlags.SKIPPABLE, "");
    }
    bound = timers.at(engine.nowNanos() + drainNanos, this::giveUpDraining);
    streams.drain();
  }

  private void giveUpDraining() {
    long millis = drainNanos / 1_000_000;
    session.lose(new StreamFailure(
        StreamFailure.Kind.CLOSED,
        session.description() + " was closed by this node, not drained within " + millis + " ms",
        "it closed and was not drained within " + millis + " ms"));
  }

  /** Advances the drain. Called once per duty cycle, after all due frames were handed to the fabric. */
  void work() {
    if (!session.isClosing() || ended) {
      return;
    }
    if (!goodbyeSent && streams.sendingCount() == 0) {
      goodbyeSent = true;
      sendReason(FrameType.GOODBYE, 0, "closing");
      session.goodbyeSent();
    }
    boolean nothingUnderWay = window.inFlight() == 0 || live.isEmpty();
    if (isClean() && nothingUnderWay) {
      session.lose(new StreamFailure(StreamFailure.Kind.CLOSED, session.description() + " closed"));
    }
  }

  private void sendReason(int type, int flags, String text) {
    GoodbyeFrame reason = new GoodbyeFrame(text);
    ControlFrame frame = new ControlFrame(type, flags, 0, 0);
    control.send(frame.body(reason.encodedBytes(), reason::encode));
  }

  /**
   * Announces an abort, best effort. A peer that misses the announcement detects the loss of every rail. Returns
   * whether there is an announcement to flush.
   */
  boolean announceAbort(String text) {
    if (live.isEmpty() || isClean()) {
      return false;
    }
    sendReason(FrameType.GOODBYE, FrameFlags.LAST, text);
    return true;
  }

  /** Returns whether both sides drained and exchanged GOODBYE. */
  private boolean isClean() {
    return goodbyeSent && goodbyeReceived;
  }

  /** Handles the peer's GOODBYE: the peer sends nothing further. This side drains as well. */
  void onGoodbye() {
    goodbyeReceived = true;
    if (!session.isClosing()) {
      begin(ignored -> {});
    }
  }

  /** Notifies listeners of the end of the channel. The cause of a clean end is null. */
  void ended(StreamFailure cause) {
    ended = true;
    signalBegin();
    failure = isClean() ? null : cause;
    if (bound != null) {
      bound.cancel();
    }
    List<Consumer<StreamFailure>> notified = new ArrayList<>(listeners);
    listeners.clear();
    notified.forEach(listener -> Guarded.run("close", () -> listener.accept(failure)));
  }
}
