package io.railflux.engine.fakes;

import io.railflux.engine.send.FrameOwner;
import io.railflux.policy.Marker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/** Records the calls of the send path to a stream. */
public class FakeFrameOwner implements FrameOwner {

  private final long id;
  private final IntConsumer onAcknowledged;
  public long nextSeq;
  public boolean mayContinue = true;
  public BooleanSupplier fetchesLines = () -> true;
  public long sentBytes;
  public int turnsEnded;
  public int endsSent;
  public final List<Throwable> errors = new ArrayList<>();

  public FakeFrameOwner(long id) {
    this(id, items -> {});
  }

  /** @param onAcknowledged receives the number of items of each acknowledgement */
  public FakeFrameOwner(long id, IntConsumer onAcknowledged) {
    this.id = id;
    this.onAcknowledged = onAcknowledged;
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public Marker marker() {
    return Marker.STREAM;
  }

  @Override
  public long nextSeq() {
    return nextSeq;
  }

  @Override
  public boolean mayContinue() {
    return mayContinue;
  }

  @Override
  public boolean fetchesLines() {
    return fetchesLines.getAsBoolean();
  }

  @Override
  public void sent(int messages, long bytes) {
    nextSeq += messages;
    sentBytes += bytes;
  }

  @Override
  public void endTurn() {
    turnsEnded++;
  }

  @Override
  public void onError(Throwable reason) {
    errors.add(reason);
  }

  @Override
  public void onAcknowledged(int items) {
    onAcknowledged.accept(items);
  }

  @Override
  public void endSent() {
    endsSent++;
  }
}
