package io.railflux;

import io.railflux.engine.EngineThread;
import io.railflux.engine.base.Guarded;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.metrics.RailEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import reactor.core.publisher.BufferOverflowStrategy;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;

/** Publishes the events of the paths of a node. Engine thread only, except {@link #flux}. */
final class RailEvents {

  /** Number of latest events kept without demand. */
  private static final int KEPT = 1_024;

  private record Listener(
      Predicate<VirtualChannel> of, Consumer<RailEvent> next, Runnable complete) {}

  private final EngineThread thread;
  private final List<Listener> listeners = new ArrayList<>();

  RailEvents(EngineThread thread) {
    this.thread = thread;
  }

  /** Any thread. */
  Flux<RailEvent> flux(Predicate<VirtualChannel> of) {
    return Flux.<RailEvent>create(
            sink -> thread.engine().execute(() -> add(of, sink)), FluxSink.OverflowStrategy.IGNORE)
        .onBackpressureBuffer(KEPT, event -> {}, BufferOverflowStrategy.DROP_OLDEST);
  }

  private void add(Predicate<VirtualChannel> of, FluxSink<RailEvent> sink) {
    boolean over = of instanceof OfOne one && one.channel.isClosed();
    if (over || thread.isStopping()) {
      sink.complete();
      return;
    }
    Listener listener = new Listener(of, sink::next, sink::complete);
    listeners.add(listener);
    sink.onDispose(() -> thread.engine().execute(() -> listeners.remove(listener)));
  }

  /** Passes the events of one peer on, until its session ends. Engine thread. */
  void listen(OfOne of, Consumer<RailEvent> listener) {
    listeners.add(new Listener(of, listener, () -> {}));
  }

  void publish(VirtualChannel channel, RailEvent event) {
    Guarded.each("railEvents", listeners, listener -> {
      if (listener.of.test(channel)) {
        listener.next.accept(event);
      }
    });
  }

  /** The session with the peer ended: its paths have no further events. */
  void ended(VirtualChannel channel) {
    Guarded.each("railEvents", listeners, listener -> {
      if (listener.of instanceof OfOne one && one.channel == channel) {
        listener.complete.run();
      }
    });
    listeners.removeIf(listener -> listener.of instanceof OfOne one && one.channel == channel);
  }

  /** The node has ended. */
  void complete() {
    Guarded.each("railEvents", listeners, listener -> listener.complete.run());
    listeners.clear();
  }

  /** Selects the events of one peer. */
  record OfOne(VirtualChannel channel) implements Predicate<VirtualChannel> {
    @Override
    public boolean test(VirtualChannel other) {
      return channel == other;
    }
  }
}
