package io.railflux.engine.base;

import io.railflux.pipeline.DeliverySink;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guards calls into user code that must not throw. Such code may throw nevertheless, in Kotlin even undeclared
 * checked exceptions. They are logged and do not affect other streams, the peer or the node.
 */
public final class GuardedSink implements DeliverySink {

  private static final Logger LOG = LoggerFactory.getLogger(GuardedSink.class);

  private final String stream;
  private final DeliverySink sink;
  private final Occupancy occupancy;
  private final Occupancy.Occupant occupant;

  /** @param occupant owner of the code of {@code sink}, for the engine's {@code occupancy} */
  public GuardedSink(
      String stream, DeliverySink sink, Occupancy occupancy, Occupancy.Occupant occupant) {
    this.stream = stream;
    this.sink = sink;
    this.occupancy = occupancy;
    this.occupant = occupant;
  }

  /** Runs {@code call}, which signals {@code stream}. */
  public static void run(String stream, Runnable call) {
    try {
      call.run();
    } catch (Throwable e) {
      log(stream, e);
    }
  }

  static void log(String stream, Throwable e) {
    LOG.error("stream '{}': user code threw from a method that must not", stream, e);
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
