package io.railflux.lab;

import io.railflux.engine.Engine;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.EngineHost;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.fabric.sim.SimHost;
import io.railflux.fabric.sim.SimNetwork;
import io.railflux.policies.striping.Striping;
import io.railflux.policy.ChannelPolicy;
import io.railflux.policy.StripingPolicy;
import java.util.function.Supplier;

/**
 * Drives an engine in virtual time as {@code EngineThread} does in real time. It runs duty cycles while there is work.
 * It then arms the wake-up, runs one more cycle and sleeps. A sleeping node runs only when it is woken or a timer is
 * due, so that a lost wake-up stalls the run.
 */
final class SimulatedNode implements EngineHost {

  private static final long TIMER_SLACK_NANOS = 1_000;

  /** Probability that a subscriber or a codec takes long, so that rings fill up. */
  private static final double HELD_UP = 0.02;

  private static final int HELD_UP_NANOS = 400_000;

  private static final int MAX_ASIDE_NANOS = 1_000_000;

  /** Minimum size of a share. Messages of a run are short. */
  private static final int MIN_CUT_BYTES = 256;

  private final SimNetwork network;
  private final SimHost host;
  private final Journal journal;
  private final Scenario scenario;
  private final SeededRandom random;
  private EngineConfig config;
  private final long cycleNanos;

  private final SimulatedMemory memory = new SimulatedMemory();
  private Engine engine;
  private Audit audit;
  private boolean driving;
  private boolean asleep;
  private boolean closed;

  /** The number of the current engine. Actions scheduled for an earlier engine are dropped. */
  private int generation;

  private long echoesReported;
  private long stoppedUntilNanos;

  /** The number of the current sleep. Timers of an earlier sleep are dropped. */
  private long sleeps;

  SimulatedNode(
      SimNetwork network, String name, Scenario scenario, Journal journal, SeededRandom random) {
    this.network = network;
    this.host = network.host(name);
    this.journal = journal;
    this.scenario = scenario;
    this.random = random;
    this.config = new EngineConfig(
        name,
        scenario.limits(random),
        scenario.large(random),
        scenario.timing(),
        () -> striping(random.fork()),
        scenario.security());
    this.audit = new Audit(journal);
    this.cycleNanos = random.between(200, 2_000);
  }

  private StripingPolicy striping(SeededRandom own) {
    return switch (own.below(5)) {
      case 0 -> StripingPolicy.binding();
      case 1 -> StripingPolicy.roundRobin();
      case 2 -> new RandomStriping(own);
      case 3 -> new WeighedStriping(StripingPolicy.byDefault(), journal::violation);
      default -> new WeighedStriping(ofThePapers(own).get(), journal::violation);
    };
  }

  /** Returns policies whose weights follow measurements. They split shorter messages than usual. */
  private static Supplier<StripingPolicy> ofThePapers(SeededRandom own) {
    Supplier<StripingPolicy> policy = switch (own.below(3)) {
      case 0 -> Striping.adaptive(0.5);
      case 1 -> Striping.batched(3, 2);
      default -> Striping.probing(Striping.adaptive(0.9), 4);
    };
    return Striping.above(MIN_CUT_BYTES, policy);
  }

  /** Sets the policy of message channels for engines that open later. */
  void channels(ChannelPolicy policy) {
    config = config.withChannels(() -> policy);
  }

  /** Opens an engine on all rails: the first one, or another incarnation of the node. */
  void open() {
    generation++;
    memory.supply(SimulatedMemory.Supply.PLENTY);
    audit = new Audit(journal);
    closed = false;
    asleep = false;
    engine = new Engine(config, this, network.now());
    for (int rail = 0; rail < network.config().rails(); rail++) {
      Echoes echoes = new Echoes(random.fork(), () -> echoesReported++);
      engine.addRail(new AuditedProvider(host.provider(rail), audit, echoes));
    }
    again(cycleNanos);
  }

  /** Ends the engine in an orderly way and closes its endpoints. */
  void close(String reason) {
    if (!closed) {
      closed = true;
      engine.close(reason);
      generation++;
    }
  }

  /** Ends the process without notice. */
  void kill() {
    closed = true;
    generation++;
    host.kill();
  }

  void restart() {
    host.restart();
    open();
  }

  /** Runs {@code action} after a delay, unless this engine has ended by then. Not on the engine thread. */
  void later(long delayNanos, Runnable action) {
    int scheduledIn = generation;
    host.schedule(delayNanos, () -> {
      if (generation == scheduledIn) {
        action.run();
      }
    });
  }

  /** As {@link #later}, on the engine thread. */
  void laterOnEngine(long delayNanos, Runnable action) {
    later(delayNanos, () -> engine.execute(action));
  }

  private void again(long delayNanos) {
    later(delayNanos, this::cycle);
  }

  /** Suspends the process for a time. Its memory remains accessible. */
  void stopFor(long nanos) {
    stoppedUntilNanos = network.now() + nanos;
  }

  private void cycle() {
    if (stoppedUntilNanos - network.now() > 0) {
      again(stoppedUntilNanos - network.now());
      return;
    }
    if (drive() > 0) {
      again(random.chance(HELD_UP) ? random.between(0, HELD_UP_NANOS) : cycleNanos);
    } else if (!closed) {
      sleep();
    }
  }

  private void sleep() {
    asleep = true;
    engine.arm();
    int found = drive();
    if (closed) {
      return;
    }
    if (found > 0 || !asleep) {
      awake();
      return;
    }
    // Nothing happened since the last cycle. A cycle that finds work proves that the engine
    // reported none by mistake.
    if (drive() > 0) {
      journal.violation(name() + " went to sleep with pending work");
    }
    if (!asleep) {
      awake();
      return;
    }
    setTimer();
  }

  private void awake() {
    asleep = false;
    engine.disarm();
    again(cycleNanos);
  }

  private void setTimer() {
    long until = engine.untilNextTimerNanos(network.now());
    long sleep = ++sleeps;
    if (until != Long.MAX_VALUE) {
      later(until + TIMER_SLACK_NANOS, () -> onTimer(sleep));
    }
  }

  private void onTimer(long sleep) {
    if (asleep && sleep == sleeps) {
      asleep = false;
      engine.disarm();
      cycle();
    }
  }

  @Override
  public void wakeUp() {
    if (asleep && !closed) {
      asleep = false;
      if (!driving) {
        sleeps++;
        later(cycleNanos, this::woken);
      }
    }
  }

  private void woken() {
    engine.disarm();
    cycle();
  }

  /**
   * Runs a cycle without a wake-up when no event is pending. Work found here had no wake-up. A message that waits for a
   * ring may expire without an event.
   */
  void probe() {
    boolean idle = asleep && !closed && engine.untilNextTimerNanos(network.now()) > 0;
    if (idle && engine.channels().stream().noneMatch(VirtualChannel::awaitsRing)) {
      if (drive() > 0) {
        journal.violation(name() + " was not woken for pending work");
      }
      if (asleep) {
        setTimer();
      } else {
        awake();
      }
    }
  }

  private int drive() {
    driving = true;
    try {
      return engine.dutyCycle(network.now());
    } catch (RuntimeException | Error e) {
      journal.violation(name() + ": the engine threw " + e + at(e));
      closed = true;
      return 0;
    } finally {
      driving = false;
    }
  }

  static String at(Throwable e) {
    StackTraceElement[] trace = e.getStackTrace();
    return trace.length == 0 ? "" : " at " + trace[0];
  }

  @Override
  public boolean inEngine() {
    return driving;
  }

  @Override
  public long randomLong() {
    return random.nextLong();
  }

  @Override
  public int pollIo() {
    return 0;
  }

  @Override
  public SimulatedMemory memory() {
    return memory;
  }

  /** Simulates a slow collector. */
  @Override
  public void aside(Runnable task) {
    later(random.between(0, MAX_ASIDE_NANOS), task);
  }

  @Override
  public SequenceOrigins origins() {
    return scenario.origins();
  }

  boolean isAsleep() {
    return asleep && !closed;
  }

  boolean isOpen() {
    return !closed;
  }

  int generation() {
    return generation;
  }

  Engine engine() {
    return engine;
  }

  /** Returns whether the node holds no resource of its fabrics and of its memory. */
  boolean holdsNothing() {
    return audit.isClean() && (engine == null || engine.largeMessageBytes() == 0);
  }

  long echoesReported() {
    return echoesReported;
  }

  Audit audit() {
    return audit;
  }

  SimHost host() {
    return host;
  }

  String name() {
    return host.name();
  }

  EngineConfig.Large largeLimits() {
    return config.large();
  }

  EngineConfig.Limits limits() {
    return config.limits();
  }
}
