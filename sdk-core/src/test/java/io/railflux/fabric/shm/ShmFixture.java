package io.railflux.fabric.shm;

import io.railflux.engine.IoLoop;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Two fabrics in this process. Victims run in child processes. */
final class ShmFixture implements FabricFixture {

  private static final long PATIENCE_NANOS = 5_000_000_000L;
  private static final long SETTLE_NANOS = 10_000_000L;
  private static final long SLEEP_NANOS = 200_000_000L;

  private final Rig rig;
  private final List<ChildProcess> children = new ArrayList<>();
  private int locations;

  ShmFixture(Supplier<IoLoop> loop) throws IOException {
    rig = new Rig(loop);
  }

  @Override
  public Fabric local() {
    return rig.near;
  }

  @Override
  public Fabric remote() {
    return rig.far;
  }

  @Override
  public String freeLocation() {
    return "service-" + ++locations;
  }

  @Override
  public String deserted() {
    return "nobody";
  }

  @Override
  public boolean await(BooleanSupplier condition) {
    long deadline = nowNanos() + PATIENCE_NANOS;
    boolean holds = condition.getAsBoolean();
    while (!holds && nowNanos() < deadline) {
      rig.poll();
      holds = condition.getAsBoolean();
    }
    return holds;
  }

  @Override
  public void settle() {
    long quietSince = nowNanos();
    while (nowNanos() - quietSince < SETTLE_NANOS) {
      if (rig.near.poll(64) + rig.far.poll(64) > 0) {
        quietSince = nowNanos();
      }
    }
  }

  @Override
  public boolean sleep(Fabric fabric) {
    Loop sleeper = fabric == rig.near ? rig.nearLoop : rig.farLoop;
    Fabric other = fabric == rig.near ? rig.far : rig.near;
    long deadline = nowNanos() + SLEEP_NANOS;
    boolean woken = false;
    while (!woken && nowNanos() < deadline) {
      other.poll(64);
      woken = sleeper.sleep(1);
    }
    return woken;
  }

  @Override
  public long nowNanos() {
    return System.nanoTime();
  }

  @Override
  public Victim victim() throws IOException {
    String location = freeLocation();
    ChildProcess child = ChildProcess.listening(rig.base, location);
    children.add(child);
    return new Victim() {
      @Override
      public String location() {
        return location;
      }

      @Override
      public void kill() {
        child.kill();
      }
    };
  }

  @Override
  public void close() {
    children.forEach(ChildProcess::close);
    try {
      rig.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
