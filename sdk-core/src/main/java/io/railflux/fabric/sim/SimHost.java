package io.railflux.fabric.sim;

import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Availability;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.FabricProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A host with one simulated process, which can be killed and restarted. */
public final class SimHost {

  private final SimNetwork network;
  private final String name;
  private final List<SimFabric> fabrics = new ArrayList<>();
  private final Map<String, SimListening> listenings = new TreeMap<>();
  private final long[] railDownSince;
  private boolean alive = true;
  private int life = 1;
  private long memoryLimitBytes = Long.MAX_VALUE;
  private long exposedBytes;

  SimHost(SimNetwork network, String name) {
    if (name.isEmpty() || name.indexOf('/') >= 0) {
      throw new IllegalArgumentException("host name '" + name + "'");
    }
    this.network = network;
    this.name = name;
    this.railDownSince = new long[network.config().rails()];
    Arrays.fill(railDownSince, Long.MAX_VALUE);
  }

  /**
   * Returns the name of the host.
   *
   * @return the name
   */
  public String name() {
    return name;
  }

  /**
   * Returns whether the process runs.
   *
   * @return false after {@link #kill}
   */
  public boolean alive() {
    return alive;
  }

  /**
   * Opens a fabric of the running process.
   *
   * @param rail index of the rail
   * @param context services of the engine
   * @return the fabric, owned by the caller
   * @throws IllegalStateException if the process does not run
   */
  public SimFabric fabric(int rail, FabricContext context) {
    if (!alive) {
      throw new IllegalStateException("the process on " + name + " is dead; restart() it");
    }
    SimFabric fabric = new SimFabric(this, rail, context);
    fabrics.add(fabric);
    return fabric;
  }

  /**
   * Returns a provider of {@link #fabric}.
   *
   * @param rail index of the rail
   * @return a provider with the name {@code sim}, or {@code sim0}, {@code sim1} and so on with several rails
   */
  public FabricProvider provider(int rail) {
    return new Provider(checkedRail(rail));
  }

  /**
   * Creates services for fabrics of the present process.
   *
   * @param onWake runs for every wake-up
   * @return the services
   */
  public FabricContext context(Runnable onWake) {
    return new Context(life, onWake);
  }

  /**
   * Schedules an action like {@link SimNetwork#schedule}. The end of the process cancels it.
   *
   * @param delayNanos delay in nanoseconds of virtual time
   * @param action the action
   */
  public void schedule(long delayNanos, Runnable action) {
    int scheduledIn = life;
    network.schedule(delayNanos, () -> {
      if (livesIn(scheduledIn)) {
        action.run();
      }
    });
  }

  /** Kills the process: no callback of it runs any more, and its endpoints vanish. */
  public void kill() {
    if (alive) {
      alive = false;
      network.world().count("kill");
      for (SimFabric fabric : new ArrayList<>(fabrics)) {
        fabric.vanish();
      }
      exposedBytes = 0;
    }
  }

  /** Ends the endpoints whose connections use the link. */
  void reset(SimLink link) {
    List.copyOf(fabrics).forEach(fabric -> fabric.reset(link));
  }

  /** Starts a new process on the host, without fabrics. Kills the running one. */
  public void restart() {
    kill();
    alive = true;
    life++;
  }

  /**
   * Sets the carrier of all links of a rail.
   *
   * @param rail index of the rail
   * @param up false to remove the carrier
   */
  public void railUp(int rail, boolean up) {
    railDownSince[rail] = up ? Long.MAX_VALUE : Math.min(railDownSince[rail], network.now());
  }

  /**
   * Limits the memory that can be exposed at a time. Beyond the limit {@code expose} fails.
   *
   * @param bytes limit in bytes
   */
  public void memoryLimit(long bytes) {
    memoryLimitBytes = bytes;
  }

  @Override
  public String toString() {
    return name + (alive ? " (life " + life + ")" : " (dead)");
  }

  SimNetwork network() {
    return network;
  }

  boolean livesIn(int thatLife) {
    return alive && life == thatLife;
  }

  String railName(int rail) {
    return railDownSince.length == 1 ? "sim" : "sim" + rail;
  }

  int checkedRail(int rail) {
    if (rail < 0 || rail >= railDownSince.length) {
      throw new IllegalArgumentException("no rail " + rail + " of " + railDownSince.length);
    }
    return rail;
  }

  long railDownSince(int rail) {
    return railDownSince[rail];
  }

  /** Returns false without room. */
  boolean reserve(long bytes) {
    if (bytes > memoryLimitBytes - exposedBytes) {
      return false;
    }
    exposedBytes += bytes;
    return true;
  }

  void release(long bytes) {
    exposedBytes = Math.max(0, exposedBytes - bytes);
  }

  SimListening listening(int rail, String service) {
    return listenings.get(rail + "/" + service);
  }

  boolean addListening(int rail, String service, SimListening listening) {
    return listenings.putIfAbsent(rail + "/" + service, listening) == null;
  }

  void removeListening(int rail, String service, SimListening listening) {
    listenings.remove(rail + "/" + service, listening);
  }

  void closed(SimFabric fabric) {
    fabrics.remove(fabric);
  }

  /** One rail of this host. */
  private final class Provider implements FabricProvider {

    private final int rail;

    Provider(int rail) {
      this.rail = rail;
    }

    @Override
    public String name() {
      return railName(rail);
    }

    @Override
    public Availability availability() {
      return alive
          ? Availability.yes("simulated rail " + rail + " of " + name)
          : Availability.no("the process on " + name + " is dead", "restart the host");
    }

    @Override
    public Fabric open(FabricContext context) {
      Availability availability = availability();
      if (!availability.available()) {
        throw new FabricUnavailableException(name(), availability.reason(), availability.remedy());
      }
      return fabric(rail, context);
    }
  }

  /** Virtual clock and seeded numbers of one process. */
  private final class Context implements FabricContext {

    private final int life;
    private final Runnable onWake;

    Context(int life, Runnable onWake) {
      this.life = life;
      this.onWake = onWake;
    }

    @Override
    public long nowNanos() {
      return network.now();
    }

    @Override
    public long randomLong() {
      return network.randomLong();
    }

    @Override
    public void wakeUp() {
      if (livesIn(life)) {
        onWake.run();
      }
    }

    @Override
    public int pollIo() {
      return 0;
    }
  }
}
