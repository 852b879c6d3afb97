package io.railflux.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The end of a channel. A drain stops producers, waits until what streams took on is acknowledged and
 * every request is answered, says GOODBYE and leaves when that is acknowledged and the peer said its
 * own, or when the drain bound has passed. Engine thread only.
 */
final class Closing {

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

  /** Returns what forgets the listener, for one whose interest ends before. */
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
    channel.streams().drain(channel.engine().nodeName() + " is closing");
  }

  private void giveUpDraining() {
    long millis = drainNanos / 1_000_000;
    channel.lose(new StreamFailure(
        StreamFailure.Kind.CLOSED,
        channel.description() + " closed, not drained within " + millis + " ms"));
  }

  /** Once a duty cycle, after everything due was handed to the fabric. */
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

  /** Both sides drained and said so. */
  boolean isClean() {
    return saidGoodbye && heardGoodbye;
  }

  /** The peer drained its side: nothing of it follows. This side follows suit. */
  void onGoodbye() {
    heardGoodbye = true;
    if (!begun) {
      begin(ignored -> {});
    }
  }

  /** The channel is gone; a clean end is told as null. */
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
