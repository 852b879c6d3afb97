package io.railflux.fabric.disni.events;

import io.railflux.fabric.FabricContext;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Wakes the engine once per arming. A sleeping thread passes its event on and then rings; the engine arms and then
 * polls for events. The later of both sees the other.
 */
public final class Alarm {

  private final FabricContext context;
  private final AtomicBoolean armed = new AtomicBoolean();

  public Alarm(FabricContext context) {
    this.context = context;
  }

  /** Engine thread. */
  public void arm() {
    armed.set(true);
  }

  /** Engine thread. */
  public void disarm() {
    armed.set(false);
  }

  /** Any thread. */
  public void ring() {
    if (armed.get() && armed.compareAndSet(true, false)) {
      context.wakeUp();
    }
  }
}
