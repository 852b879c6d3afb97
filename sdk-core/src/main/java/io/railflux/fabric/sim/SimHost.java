package io.railflux.fabric.sim;

import io.railflux.fabric.FabricContext;
import io.railflux.fabric.FabricProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A host and the life of one process on it. */
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

  public String name() {
    return name;
  }

  public boolean alive() {
    return alive;
  }

  /** Opens a fabric of the running process on one rail. */
  public SimFabric fabric(int rail, FabricContext context) {
    if (!alive) {
      throw new IllegalStateException("the process on " + name + " is dead; restart() it");
    }
    SimFabric fabric = new SimFabric(this, rail, context);
    fabrics.add(fabric);
    return fabric;
  }

  /** Provider of {@link #fabric}, named {@code sim}, or {@code sim0}, {@code sim1} with more rails. */
  public FabricProvider provider(int rail) {
    return new SimProvider(this, rail);
  }

  /** What a driver lends to fabrics of this life; {@code onWake} runs for every wake-up. */
  public FabricContext context(Runnable onWake) {
    return new SimContext(this, life, onWake);
  }

  /** Like {@link SimNetwork#schedule}, but forgotten when this life ends first. */
  public void schedule(long delayNanos, Runnable action) {
    int scheduledIn = life;
    network.schedule(delayNanos, () -> {
      if (livesIn(scheduledIn)) {
        action.run();
      }
    });
  }

  /** The process ends without a word: no callback runs in it any more, its endpoints are gone. */
  public void kill() {
    if (alive) {
      alive = false;
      network.count("kill");
      for (SimFabric fabric : new ArrayList<>(fabrics)) {
        fabric.vanish();
      }
      exposedBytes = 0;
    }
  }

  /** A new process on the same host, with nothing opened. */
  public void restart() {
    kill();
    alive = true;
    life++;
  }

  /** Takes the carrier of all links of one rail away, or gives it back. */
  public void railUp(int rail, boolean up) {
    railDownSince[rail] = up ? Long.MAX_VALUE : Math.min(railDownSince[rail], network.now());
  }

  /** What can be exposed at a time before {@code expose} fails. */
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

  /** False when there is no room. */
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
}
