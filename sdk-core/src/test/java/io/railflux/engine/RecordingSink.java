package io.railflux.engine;

import io.railflux.pipeline.DeliverySink;
import java.util.function.LongConsumer;

/** Records the signals of a sender. */
public class RecordingSink implements DeliverySink {

  private final LongConsumer onAcknowledged;
  public long acknowledged;
  long expired;
  public boolean completed;
  public Throwable failure;

  public RecordingSink() {
    this(messages -> {});
  }

  public RecordingSink(LongConsumer onAcknowledged) {
    this.onAcknowledged = onAcknowledged;
  }

  public boolean ended() {
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
