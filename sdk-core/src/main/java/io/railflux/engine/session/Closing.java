package io.railflux.engine.session;

import io.railflux.engine.base.GuardedSink;
import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.base.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The end of a channel. A drain stops producers and waits until accepted stream elements are acknowledged and all
 * requests are answered. It then sends GOODBYE. The drain ends when GOODBYE is acknowledged and the peer has sent its
 * own, or when the drain bound expires. Engine thread only.
 */
public final class Closing {

  private final VirtualChannel channel;
  private final long drainNanos;
  private final List<Consumer<StreamFailure>> listeners = new ArrayList<>();
  private boolean begun;
  private boolean saidGoodbye;
  private boolean heardGoodbye;
  private boolean ended;
  private StreamFailure failure;
  private Timers.Timer bound;

  Closing(VirtualChannel channel, long drainNanos) {
    this.channel = channel;
    this.drainNanos = drainNanos;
  }

  boolean hasBegun() {
    return begun;
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

  void begin(Consumer<StreamFailure> done) {
    onEnd(done);
    if (begun || ended) {
      return;
    }
    begun = true;
    bound = channel.engine().timers().at(channel.nowNanos() + drainNanos, this::giveUpDraining);
    channel.streams().drain();
  }

  private void giveUpDraining() {
    long millis = drainNanos / 1_000_000;
    channel.lose(new StreamFailure(
        StreamFailure.Kind.CLOSED,
        channel.description() + " closed, not drained within " + millis + " ms",
        "it closed and was not drained within " + millis + " ms"));
  }

  /** Advances the drain. Called once per duty cycle, after all due frames were handed to the fabric. */
  void work() {
    if (!begun || ended) {
      return;
    }
    if (!saidGoodbye && channel.streams().sendingCount() == 0) {
      saidGoodbye = true;
      channel.sayGoodbye("closing");
    }
    boolean nothingUnderWay =
        channel.unacknowledgedFrames() == 0 || !channel.paths().hasLive();
    if (isClean() && nothingUnderWay) {
      channel.lose(new StreamFailure(StreamFailure.Kind.CLOSED, channel.description() + " closed"));
    }
  }

  /** Returns whether both sides drained and exchanged GOODBYE. */
  boolean isClean() {
    return saidGoodbye && heardGoodbye;
  }

  /** Handles the peer's GOODBYE: the peer sends nothing further. This side drains as well. */
  void onGoodbye() {
    heardGoodbye = true;
    if (!begun) {
      begin(ignored -> {});
    }
  }

  /** Notifies listeners of the end of the channel. The cause of a clean end is null. */
  void ended(StreamFailure cause) {
    ended = true;
    failure = isClean() ? null : cause;
    if (bound != null) {
      bound.cancel();
    }
    List<Consumer<StreamFailure>> told = new ArrayList<>(listeners);
    listeners.clear();
    told.forEach(listener -> GuardedSink.run("close", () -> listener.accept(failure)));
  }
}
