package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.EngineHost.SequenceOrigins;
import io.railflux.engine.base.Rail;
import io.railflux.engine.base.Security;
import io.railflux.engine.session.ChannelHost;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.fabric.sim.SimLink;
import io.railflux.fabric.sim.SimNetwork;
import io.railflux.policy.ChannelPolicy;
import io.railflux.policy.StripingPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Two nodes on a simulated network, connected over all of its rails. */
public final class TwoEngines {

  public static final long MILLIS = 1_000_000;
  public static final long PATIENCE_NANOS = 5_000 * MILLIS;

  public final SimNetwork network;
  public final DrivenEngine near;
  public final DrivenEngine far;
  public VirtualChannel nearChannel;
  public VirtualChannel farChannel;
  public String connectFailure;

  /** Settings that a test may change. */
  public record Setting(
      SimConfig fabric,
      EngineConfig.Limits limits,
      EngineConfig.Large large,
      EngineConfig.Timing timing,
      SequenceOrigins origins,
      Supplier<StripingPolicy> striping,
      Supplier<ChannelPolicy> channels,
      Security near,
      Security far) {

    public static Setting of(SimConfig fabric) {
      return new Setting(
          fabric,
          EngineConfig.Limits.DEFAULT,
          EngineConfig.Large.DEFAULT,
          EngineConfig.Timing.DEFAULT,
          SequenceOrigins.ZERO,
          StripingPolicy::roundRobin,
          ChannelPolicy::dedicated,
          Security.DEFAULT,
          Security.DEFAULT);
    }

    public Setting withChannels(Supplier<ChannelPolicy> newChannels) {
      return new Setting(fabric, limits, large, timing, origins, striping, newChannels, near, far);
    }

    public Setting with(EngineConfig.Limits newLimits) {
      return new Setting(fabric, newLimits, large, timing, origins, striping, channels, near, far);
    }

    public Setting with(EngineConfig.Large newLarge) {
      return new Setting(fabric, limits, newLarge, timing, origins, striping, channels, near, far);
    }

    public Setting with(EngineConfig.Timing newTiming) {
      return new Setting(fabric, limits, large, newTiming, origins, striping, channels, near, far);
    }

    public Setting with(SequenceOrigins newOrigins) {
      return new Setting(fabric, limits, large, timing, newOrigins, striping, channels, near, far);
    }

    public Setting with(Supplier<StripingPolicy> newStriping) {
      return new Setting(fabric, limits, large, timing, origins, newStriping, channels, near, far);
    }

    public Setting with(Security newNear, Security newFar) {
      return new Setting(
          fabric, limits, large, timing, origins, striping, channels, newNear, newFar);
    }
  }

  private List<Rail.Target> targets;

  private TwoEngines(Setting setting, long seed) {
    network = new SimNetwork(seed, setting.fabric());
    near = driven("near", setting, setting.near());
    far = driven("far", setting, setting.far());
    near.open();
    far.open();
  }

  private DrivenEngine driven(String name, Setting setting, Security security) {
    EngineConfig config = new EngineConfig(
        name,
        setting.limits(),
        setting.large(),
        setting.timing(),
        setting.striping(),
        setting.channels(),
        security);
    return new DrivenEngine(network, name, config, setting.origins());
  }

  public static TwoEngines connected(SimConfig fabric) {
    return connected(Setting.of(fabric));
  }

  public static TwoEngines connected(Setting setting) {
    TwoEngines engines = apart(setting);
    engines.connect();
    return engines;
  }

  public static TwoEngines apart(Setting setting) {
    return apart(setting, 42);
  }

  public static TwoEngines apart(Setting setting, long seed) {
    return new TwoEngines(setting, seed);
  }

  /** Makes the far side listen on every rail. Returns its addresses for the near side. */
  public List<Rail.Target> targets() {
    List<Rail.Target> targets = new ArrayList<>();
    for (Rail rail : far.engine().rails()) {
      Rail local = near.engine().rails().get(rail.index());
      targets.add(new Rail.Target(local, listen(rail)));
    }
    return targets;
  }

  /** Connects over all rails as one peer. */
  public void connect() {
    connect(targets());
  }

  /** Connects over some rails. */
  public void connect(List<Rail.Target> some) {
    far.engine().onAccepted(channel -> farChannel = channel);
    targets = some;
    connectAgain();
  }

  /** Connects another peer to the listening far side. */
  public void connectAgain() {
    nearChannel = null;
    farChannel = null;
    near.run(() -> near.engine().connect(targets, new Connecting()));
    int rails = targets.size();
    await(() -> live(nearChannel) == rails && live(farChannel) == rails);
    assertNotNull(nearChannel, () -> "not connected: " + connectFailure);
  }

  public String listen(Rail rail) {
    try {
      return far.engine().listen(rail, "service").location();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private final class Connecting implements ChannelHost.Listener {

    @Override
    public void onEstablished(VirtualChannel channel) {
      nearChannel = channel;
    }

    @Override
    public void onFailed(String reason) {
      connectFailure = reason;
    }
  }

  public static int live(VirtualChannel channel) {
    return channel == null ? 0 : channel.live().size();
  }

  public SimLink link(int rail) {
    return network.link(near.host(), far.host(), rail);
  }

  /** Lets virtual time pass. */
  public void pass(long nanos) {
    network.runUntil(network.now() + nanos);
  }

  public void await(BooleanSupplier condition) {
    boolean holds = network.runUntil(condition, network.now() + PATIENCE_NANOS);
    assertTrue(holds, () -> "waited for " + PATIENCE_NANOS / MILLIS + " ms: " + network);
  }

  /** Waits until every frame is acknowledged and every rail is in use. */
  public void awaitQuiet() {
    // Submitted work has not begun yet.
    pass(MILLIS / 10);
    await(() -> nearChannel.readings().unacknowledgedFrames() == 0
        && farChannel.readings().unacknowledgedFrames() == 0
        && nearChannel.recovery().isIdle()
        && farChannel.recovery().isIdle());
  }

  /** Creates a stream from near to far, without any action of either side. */
  public Flow flow(String name) {
    return new Flow(this, name);
  }
}
