package io.railflux.samples.bench.engine;

import io.railflux.engine.Engine;
import io.railflux.engine.base.Rail;
import io.railflux.engine.session.ChannelHost;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.shm.ShmFabricProvider;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Two engines connected over shared memory and driven in turn by one thread. */
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

  /** One duty cycle of the side that connected. */
  public void stepNear() {
    near.step();
  }

  /** One of the side that was connected to. */
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

  /** Whether it comes to hold in time is not left open. */
  void stepUntil(BooleanSupplier condition) {
    long begun = System.nanoTime();
    while (!condition.getAsBoolean()) {
      near.step();
      far.step();
      if (System.nanoTime() - begun > PATIENCE_NANOS) {
        throw new IllegalStateException("nothing happened for " + PATIENCE_NANOS + " ns");
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
