package io.railflux.engine;

import io.railflux.pipeline.DeliverySink;
import java.util.function.LongConsumer;

/** What a sender hears of its stream. */
final class RecordingSink implements DeliverySink {

  private final LongConsumer onAcknowledged;
  long acknowledged;
  long expired;
  boolean completed;
  Throwable failure;

  RecordingSink() {
    this(messages -> {});
  }

  RecordingSink(LongConsumer onAcknowledged) {
    this.onAcknowledged = onAcknowledged;
  }

  boolean ended() {
    return completed || failure != null;
  }

  private void requireOpen() {
    if (ended()) {
      throw new AssertionError("a signal after the end");
    }
  }

  @Override
  public void onAcknowledged(long messages) {
    requireOpen();
    acknowledged += messages;
    onAcknowledged.accept(messages);
  }

  @Override
  public void onExpired(long index) {
    requireOpen();
    expired++;
  }

  @Override
  public void onCompleted() {
    requireOpen();
    completed = true;
  }

  @Override
  public void onFailed(Throwable error) {
    requireOpen();
    failure = error;
  }
}
