package io.railflux.engine;

import io.railflux.pipeline.DeliverySink;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls into user code that must not throw and may do so nevertheless, in Kotlin even what is checked and
 * nobody declares. That is told in the log; other streams, the peer and the node go on.
 */
final class GuardedSink implements DeliverySink {

  private static final Logger LOG = LoggerFactory.getLogger(GuardedSink.class);

  private final String stream;
  private final DeliverySink sink;

  GuardedSink(String stream, DeliverySink sink) {
    this.stream = stream;
    this.sink = sink;
  }

  /** Runs {@code call}, which tells {@code stream} something. */
  static void run(String stream, Runnable call) {
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
    try {
      sink.onAcknowledged(messages);
    } catch (Throwable e) {
      log(stream, e);
    }
  }

  @Override
  public void onExpired(long index) {
    run(stream, () -> sink.onExpired(index));
  }

  @Override
  public void onCompleted() {
    run(stream, sink::onCompleted);
  }

  @Override
  public void onFailed(Throwable error) {
    run(stream, () -> sink.onFailed(error));
  }
}
