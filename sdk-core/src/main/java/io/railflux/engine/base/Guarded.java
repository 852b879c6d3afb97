package io.railflux.engine.base;

import io.railflux.metrics.NodeObserver;
import io.railflux.metrics.PeerReadings;
import io.railflux.metrics.StreamReadings;
import io.railflux.pipeline.DeliverySink;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guards calls into user code that must not throw. Such code may throw nevertheless: subscribers may be raw, Reactor
 * rethrows fatal exceptions, and Kotlin throws undeclared checked exceptions. The exceptions are logged and do not
 * affect other subscribers, streams, the peer or the node.
 */
public final class Guarded {

  private static final Logger LOG = LoggerFactory.getLogger(Guarded.class);

  private Guarded() {}

  /** Runs {@code call}, which signals {@code receiver}: the name of a stream, or a role of the user code. */
  public static void run(String receiver, Runnable call) {
    try {
      call.run();
    } catch (Throwable e) {
      log(receiver, e);
    }
  }

  /** Signals all present subscribers; each of them may leave meanwhile. */
  public static <S> void each(String receiver, List<S> subscribers, Consumer<S> signal) {
    for (S subscriber : List.copyOf(subscribers)) {
      run(receiver, () -> signal.accept(subscriber));
    }
  }

  private static void log(String receiver, Throwable e) {
    LOG.error("'{}': user code threw from a method that must not", receiver, e);
  }

  /** Receives the outcome of the messages of a stream. Engine thread only. */
  public static final class Sink implements DeliverySink {

    private final String stream;
    private final DeliverySink sink;
    private final Occupancy occupancy;
    private final Occupancy.Occupant occupant;

    /** @param occupant owner of the code of {@code sink}, for the engine's {@code occupancy} */
    public Sink(
        String stream, DeliverySink sink, Occupancy occupancy, Occupancy.Occupant occupant) {
      this.stream = stream;
      this.sink = sink;
      this.occupancy = occupancy;
      this.occupant = occupant;
    }

    @Override
    public void onAcknowledged(long messages) {
      occupancy.enter(occupant);
      try {
        sink.onAcknowledged(messages);
      } catch (Throwable e) {
        log(stream, e);
      }
    }

    @Override
    public void onExpired(long index) {
      occupancy.enter(occupant);
      run(stream, () -> sink.onExpired(index));
    }

    @Override
    public void onCompleted() {
      occupancy.enter(occupant);
      run(stream, sink::onCompleted);
    }

    @Override
    public void onFailed(Throwable error) {
      occupancy.enter(occupant);
      run(stream, () -> sink.onFailed(error));
    }
  }

  /** Calls the meter registry of the user, its filters and listeners. Engine thread only. */
  public static final class Observer implements NodeObserver {

    private static final String RECEIVER = "observer of the node";

    private final NodeObserver observer;

    public Observer(NodeObserver observer) {
      this.observer = observer;
    }

    @Override
    public void nodeClosed() {
      run(RECEIVER, observer::nodeClosed);
    }

    @Override
    public void peerOpened(PeerReadings peer) {
      run(RECEIVER, () -> observer.peerOpened(peer));
    }

    @Override
    public void peerClosed(PeerReadings peer) {
      run(RECEIVER, () -> observer.peerClosed(peer));
    }

    @Override
    public void streamOpened(PeerReadings peer, StreamReadings stream) {
      run(RECEIVER, () -> observer.streamOpened(peer, stream));
    }

    @Override
    public void streamClosed(PeerReadings peer, StreamReadings stream) {
      run(RECEIVER, () -> observer.streamClosed(peer, stream));
    }
  }
}
