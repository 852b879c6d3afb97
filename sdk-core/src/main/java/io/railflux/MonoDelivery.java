package io.railflux;

import io.railflux.pipeline.DeliverySink;
import reactor.core.publisher.MonoSink;

/** Signals only the end of a send. */
final class MonoDelivery implements DeliverySink {

  private final MonoSink<Void> sink;

  MonoDelivery(MonoSink<Void> sink) {
    this.sink = sink;
  }

  @Override
  public void onAcknowledged(long messages) {
    // Only the end matters.
  }

  @Override
  public void onExpired(long index) {
    // Only the end matters.
  }

  @Override
  public void onCompleted() {
    sink.success();
  }

  @Override
  public void onFailed(Throwable error) {
    sink.error(error);
  }
}
