package io.railflux.fabric;

import io.railflux.engine.IoLoop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Two fabrics of this process in real time. A test that kills a process uses a third fabric in a child process. */
public final class RealFixture implements FabricFixture {

  /** An emulated or busy machine may pause for seconds. */
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private static final long SETTLE_NANOS = 40_000_000L;
  private static final long UNDISTURBED_NANOS = 150_000_000L;
  private static final long PAUSE_NANOS = 20_000L;

  private final FabricProvider provider;
  private final IntFunction<String> locations;
  private final RealContext localContext;
  private final RealContext remoteContext;
  private final Fabric local;
  private final Fabric remote;
  private final List<VictimProcess> victims = new ArrayList<>();
  private int lastLocation;

  /**
   * @param locations creates distinct, free and valid locations from numbers
   */
  public RealFixture(FabricProvider provider, IntFunction<String> locations) throws IOException {
    this(provider, locations, () -> IoLoop.fastest(System::nanoTime));
  }

  /**
   * @param locations creates distinct, free and valid locations from numbers
   * @param loop creates the loop of each side
   */
  public RealFixture(FabricProvider provider, IntFunction<String> locations, Supplier<IoLoop> loop)
      throws IOException {
    this.provider = provider;
    this.locations = locations;
    this.localContext = new RealContext(loop.get());
    this.remoteContext = new RealContext(loop.get());
    this.local = provider.open(localContext);
    this.remote = provider.open(remoteContext);
  }

  @Override
  public Fabric local() {
    return local;
  }

  @Override
  public Fabric remote() {
    return remote;
  }

  @Override
  public String freeLocation() {
    return locations.apply(++lastLocation);
  }

  @Override
  public String deserted() {
    return freeLocation();
  }

  @Override
  public boolean await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (System.nanoTime() < deadline) {
      int delivered = pollBoth();
      if (condition.getAsBoolean()) {
        return true;
      }
      if (delivered == 0) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    return condition.getAsBoolean();
  }

  @Override
  public void settle() {
    long end = System.nanoTime() + SETTLE_NANOS;
    while (System.nanoTime() < end) {
      pollBoth();
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private int pollBoth() {
    localContext.pollIo();
    remoteContext.pollIo();
    return local.poll(64) + remote.poll(64);
  }

  @Override
  public boolean sleep(Fabric fabric) {
    return sleep(fabric, PATIENCE_NANOS);
  }

  @Override
  public boolean sleepsOn(Fabric fabric) {
    return !sleep(fabric, UNDISTURBED_NANOS);
  }

  private boolean sleep(Fabric fabric, long nanos) {
    RealContext sleeper = fabric == local ? localContext : remoteContext;
    RealContext other = fabric == local ? remoteContext : localContext;
    Fabric awake = fabric == local ? remote : local;
    long end = System.nanoTime() + nanos;
    do {
      other.pollIo();
      awake.poll(64);
      if (sleeper.sleep(1)) {
        return true;
      }
    } while (System.nanoTime() < end);
    return false;
  }

  @Override
  public long nowNanos() {
    return System.nanoTime();
  }

  @Override
  public Victim victim() throws Exception {
    VictimProcess victim = VictimProcess.start(provider.getClass(), freeLocation());
    victims.add(victim);
    return victim;
  }

  @Override
  public void close() {
    local.close();
    remote.close();
    localContext.close();
    remoteContext.close();
    victims.forEach(VictimProcess::kill);
  }

  @Override
  public String toString() {
    return "fixture of " + local.name();
  }
}
