package io.railflux.fabric.sim;

import io.railflux.fabric.Completion;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.FabricFixture;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.FabricProvider;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** Hosts of a simulated network in virtual time. */
public final class SimFixture implements FabricFixture {

  private static final long PATIENCE_NANOS = 5_000_000_000L;
  private static final long SETTLE_NANOS = 150_000_000L;
  private static final long SLEEP_NANOS = 100_000_000L;
  private static final long TICK_NANOS = 100_000L;

  private final SimNetwork network;
  private final UnaryOperator<FabricProvider> decoration;
  private final Side local;
  private final Side remote;
  private int lastLocation;

  public SimFixture(long seed, SimConfig config) {
    this(seed, config, UnaryOperator.identity());
  }

  /** Decorates every provider. */
  public SimFixture(long seed, SimConfig config, UnaryOperator<FabricProvider> decoration) {
    this.network = new SimNetwork(seed, config);
    this.decoration = decoration;
    this.local = new Side(network.host("near"));
    this.remote = new Side(network.host("far"));
  }

  public SimNetwork network() {
    return network;
  }

  @Override
  public Fabric local() {
    return local.fabric;
  }

  @Override
  public Fabric remote() {
    return remote.fabric;
  }

  @Override
  public String freeLocation() {
    return "far/service" + ++lastLocation;
  }

  @Override
  public String deserted() {
    return "far/nobody";
  }

  @Override
  public boolean await(BooleanSupplier condition) {
    return runUntil(() -> pollBoth() && condition.getAsBoolean(), PATIENCE_NANOS);
  }

  @Override
  public void settle() {
    runUntil(() -> !pollBoth(), SETTLE_NANOS);
  }

  private boolean pollBoth() {
    local.fabric.poll(64);
    remote.fabric.poll(64);
    return true;
  }

  @Override
  public boolean sleep(Fabric fabric) {
    Side sleeper = fabric == local.fabric ? local : remote;
    Side other = sleeper == local ? remote : local;
    boolean woken = runUntil(
        () -> {
          other.fabric.poll(64);
          return sleeper.woken;
        },
        SLEEP_NANOS);
    sleeper.woken = false;
    return woken;
  }

  /** Evaluates the condition after every event, and at intervals without events, as an awake engine polls. */
  private boolean runUntil(BooleanSupplier condition, long nanos) {
    long end = network.now() + nanos;
    boolean holds = condition.getAsBoolean();
    while (!holds && network.now() < end) {
      if (network.nextEventAt() <= network.now() + TICK_NANOS) {
        network.step();
      } else {
        network.runUntil(network.now() + TICK_NANOS);
      }
      holds = condition.getAsBoolean();
    }
    return holds;
  }

  @Override
  public boolean isSimulated() {
    return true;
  }

  @Override
  public long nowNanos() {
    return network.now();
  }

  @Override
  public Victim victim() throws IOException {
    SimHost host = network.host("victim");
    Fabric fabric = host.provider(0).open(host.context(() -> {}));
    List<Endpoint> accepted = new ArrayList<>();
    String location = fabric.listen("service", new Accepting(accepted)).location();
    return new Victim() {
      @Override
      public String location() {
        return location;
      }

      @Override
      public void kill() {
        host.kill();
      }
    };
  }

  @Override
  public void close() {
    local.fabric.close();
    remote.fabric.close();
  }

  @Override
  public String toString() {
    return network.toString();
  }

  private final class Side {
    private final Fabric fabric;
    private boolean woken;

    Side(SimHost host) {
      FabricContext context = host.context(() -> woken = true);
      fabric = decoration.apply(host.provider(0)).open(context);
    }
  }

  private record Accepting(List<Endpoint> accepted) implements FabricListener {

    @Override
    public void onConnected(Endpoint endpoint, long attempt) {
      accepted.add(endpoint);
    }

    @Override
    public void onConnectFailed(long attempt, String reason) {}

    @Override
    public void onCompletion(Endpoint endpoint, Completion completion) {}

    @Override
    public void onError(Endpoint endpoint, String reason) {}

    @Override
    public void onDrained(Endpoint endpoint) {}
  }
}
