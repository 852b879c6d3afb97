package io.railflux.samples.bench;

import io.railflux.pipeline.Encoding;
import io.railflux.pipeline.EngineAffinity;
import io.railflux.pipeline.Filling;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.Slot;
import io.railflux.pipeline.SlotSource;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;

/** An engine without work. It provides the same memory for every message. */
final class IdleEngine implements EngineAffinity, SlotSource {

  private final Slot slot = new Slot();

  private final Consumer<Slot> gathered;

  /**
   * @param gathered receives each message that joins a batch, but no emitted message
   */
  IdleEngine(int sizeBytes, Consumer<Slot> gathered) {
    this.gathered = gathered;
    slot.buffer = ByteBuffer.allocateDirect(sizeBytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public boolean inEngine() {
    return true;
  }

  @Override
  public void execute(Runnable task) {
    task.run();
  }

  @Override
  public Slot claim(int maxBodyBytes, int metadataBytes, boolean timed, Runnable resume) {
    return slot;
  }

  @Override
  public Slot gather(int maxBodyBytes) {
    return slot;
  }

  @Override
  public void gathered(int bodyBytes) {
    gathered.accept(slot);
  }

  @Override
  public <T> int fill(Filling<T> values, Outgoing<T> outgoing, long most) {
    int added = 0;
    for (T value = values.next(); value != null; value = values.next()) {
      Encoding.body(outgoing, value, slot.buffer, 0, outgoing.maxBodyBytes(value));
      gathered.accept(slot);
      added++;
      if (added == most) {
        return added;
      }
    }
    values.exhaust();
    return added;
  }

  @Override
  public long nowNanos() {
    return 0;
  }
}
