package io.railflux.engine;

import io.railflux.buffer.MemorySource;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.EngineHost;
import io.railflux.engine.base.ProtocolViolation;
import io.railflux.fabric.sim.SimHost;
import io.railflux.fabric.sim.SimNetwork;

/**
 * Drives an engine in virtual time as {@link EngineThread} does in real time. It runs duty cycles while there is work.
 * It then arms the wake-up, runs one more cycle and sleeps until it is woken or a timer is due.
 */
public final class DrivenEngine implements EngineHost {

  private static final long CYCLE_NANOS = 500;

  private final SimNetwork network;
  private final SimHost host;
  private final EngineConfig config;
  private final SequenceOrigins origins;
  private Engine engine;
  private boolean driving;
  private boolean asleep;
  private boolean stopped;
  private MemorySource memory = MemorySource.UNLIMITED;

  /** The number of the latest plan. Cycles of earlier plans are dropped. */
  private long plan;

  DrivenEngine(SimNetwork network, String name, EngineConfig config, SequenceOrigins origins) {
    this.network = network;
    this.host = network.host(name);
    this.config = config;
    this.origins = origins;
  }

  /** Opens an engine on all rails: the first one, or another incarnation of the node. */
  void open() {
    stopped = false;
    asleep = false;
    engine = new Engine(config, this, network.now());
    for (int rail = 0; rail < network.config().rails(); rail++) {
      engine.addRail(host.provider(rail));
    }
    again(CYCLE_NANOS);
  }

  /** Ends the process without notice. */
  public void kill() {
    stopped = true;
    host.kill();
  }

  public void restart() {
    host.restart();
    open();
  }

  /** Suspends the process until {@link #thaw}. Its memory remains accessible. */
  public void freeze() {
    stopped = true;
  }

  public void thaw() {
    stopped = false;
    asleep = false;
    again(CYCLE_NANOS);
  }

  /** Sets the source of memory for sessions and handshakes. */
  public void memory(MemorySource source) {
    memory = source;
  }

  @Override
  public MemorySource memory() {
    return memory;
  }

  public Engine engine() {
    return engine;
  }

  public SimHost host() {
    return host;
  }

  /** An action of a test on the engine thread. It may imitate a peer that violates the protocol. */
  public interface Action {
    void run() throws ProtocolViolation;
  }

  /** Runs an action on the engine thread, soon. */
  public void run(Action action) {
    engine.execute(() -> {
      try {
        action.run();
      } catch (ProtocolViolation e) {
        throw new AssertionError(e);
      }
    });
  }

  private void again(long delayNanos) {
    long planned = ++plan;
    host.schedule(delayNanos, () -> {
      if (planned == plan && !stopped) {
        cycle();
      }
    });
  }

  private void cycle() {
    if (asleep) {
      asleep = false;
      engine.disarm();
    }
    if (drive() > 0) {
      again(CYCLE_NANOS);
      return;
    }
    asleep = true;
    engine.arm();
    if (drive() > 0 || !asleep) {
      asleep = false;
      engine.disarm();
      again(CYCLE_NANOS);
      return;
    }
    long until = engine.untilNextTimerNanos(network.now());
    if (until != Long.MAX_VALUE) {
      again(until + CYCLE_NANOS);
    }
  }

  private int drive() {
    driving = true;
    try {
      return engine.dutyCycle(network.now());
    } finally {
      driving = false;
    }
  }

  @Override
  public boolean inEngine() {
    return driving;
  }

  @Override
  public void wakeUp() {
    if (asleep && !stopped) {
      asleep = false;
      if (!driving) {
        engine.disarm();
        again(CYCLE_NANOS);
      }
    }
  }

  @Override
  public long randomLong() {
    return network.randomLong();
  }

  @Override
  public int pollIo() {
    return 0;
  }

  @Override
  public SequenceOrigins origins() {
    return origins;
  }
}
