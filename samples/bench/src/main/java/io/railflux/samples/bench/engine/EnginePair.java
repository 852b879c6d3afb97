package io.railflux.samples.bench.engine;

import io.railflux.engine.Engine;
import io.railflux.engine.base.Rail;
import io.railflux.engine.session.ChannelHost;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.shm.ShmFabricProvider;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Two engines connected over shared memory, driven in turn by one thread. */
public final class EnginePair implements AutoCloseable {

  private static final long PATIENCE_NANOS = 10_000_000_000L;

  final SteppedHost near = new SteppedHost("near");
  final SteppedHost far = new SteppedHost("far");
  private VirtualChannel toFar;
  private VirtualChannel toNear;

  public static EnginePair connected() throws IOException {
    EnginePair pair = new EnginePair();
    pair.connect();
    return pair;
  }

  public VirtualChannel toFar() {
    return toFar;
  }

  VirtualChannel toNear() {
    return toNear;
  }

  public Engine farEngine() {
    return far.engine();
  }

  /** Runs one duty cycle of the connecting side. */
  public void stepNear() {
    near.step();
  }

  /** Runs one duty cycle of the accepting side. */
  public void stepFar() {
    far.step();
  }

  private void connect() throws IOException {
    Rail local = near.engine().addRail(new ShmFabricProvider());
    Rail remote = far.engine().addRail(new ShmFabricProvider());
    far.engine().onAccepted(channel -> toNear = channel);
    String name = "railflux-bench-" + ProcessHandle.current().pid() + "-" + System.nanoTime();
    String location = far.engine().listen(remote, name).location();
    near.engine().connect(List.of(new Rail.Target(local, location)), new Connecting());
    stepUntil(() -> toFar != null && toNear != null);
  }

  /** Runs duty cycles until the condition holds. Fails after a time limit. */
  void stepUntil(BooleanSupplier condition) {
    long begun = System.nanoTime();
    while (!condition.getAsBoolean()) {
      near.step();
      far.step();
      if (System.nanoTime() - begun > PATIENCE_NANOS) {
        throw new IllegalStateException("no progress for " + PATIENCE_NANOS + " ns");
      }
    }
  }

  private final class Connecting implements ChannelHost.Listener {

    @Override
    public void onEstablished(VirtualChannel channel) {
      toFar = channel;
    }

    @Override
    public void onFailed(String reason) {
      throw new IllegalStateException(reason);
    }
  }

  @Override
  public void close() {
    near.close();
    far.close();
  }
}
