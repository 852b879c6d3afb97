package io.railflux.engine.fakes;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.EngineContext;
import io.railflux.engine.base.EngineHost;
import io.railflux.engine.base.Incarnation;
import io.railflux.engine.base.LargeMemory;
import io.railflux.engine.base.Occupancy;
import io.railflux.engine.base.Registrations;
import io.railflux.engine.base.SessionMemory;
import io.railflux.engine.base.Timers;
import io.railflux.metrics.NodeObserver;
import io.railflux.policy.ChannelPolicy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** An engine context with virtual time, whose tasks run on request of the test. */
public final class FakeEngineContext implements EngineContext, EngineHost {

  private final EngineConfig config;
  private final Timers timers = new Timers();
  private final Occupancy occupancy = new Occupancy();
  private final Registrations registrations;
  private final SessionMemory sessionMemory;
  private final LargeMemory sourceMemory;
  private final LargeMemory landingMemory;
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private final List<Runnable> releases = new ArrayList<>();
  private long nowNanos;
  private boolean expectsMore;

  /** Value of {@link #unseenNanos()}. */
  public long unseenNanos;

  /** Value of {@link #inEngine()}; false simulates calls of another thread. */
  public boolean inEngine = true;

  /** Value of {@link #hasPostedRail()}. */
  public boolean hasPostedRail;

  /** Value of {@link #fetchesLines()}. */
  public BooleanSupplier fetchesLines = () -> true;

  /** First numbers of streams; {@link FakeSession} receives that of the session. */
  public SequenceOrigins origins = SequenceOrigins.ZERO;

  /** Subjects of subscriptions that failed before they started. */
  public final List<String> failedSubscriptions = new ArrayList<>();

  public long sent;
  public long arrived;
  public long wakeUps;

  public FakeEngineContext() {
    this(EngineConfig.defaults("near"));
  }

  public FakeEngineContext(EngineConfig config) {
    this.config = config;
    this.registrations = new Registrations(config.large().sendBudgetBytes());
    this.sessionMemory = new SessionMemory(config.nodeName(), this, this::execute);
    this.sourceMemory = new LargeMemory(LargeMemory.Budget.ofSends(config), this);
    this.landingMemory = new LargeMemory(LargeMemory.Budget.ofReceives(config), this);
  }

  /** Runs the waiting tasks and the tasks that these add. */
  public void runTasks() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  /** Advances the time from timer to timer and runs the tasks. */
  public void pass(long nanos) {
    long until = nowNanos + nanos;
    runTasks();
    while (timers.untilNextNanos(nowNanos) <= until - nowNanos) {
      nowNanos += timers.untilNextNanos(nowNanos);
      timers.run(nowNanos);
      runTasks();
    }
    nowNanos = until;
  }

  /** Lets time pass without tasks and timers, as in a suspended process. */
  public void standStill(long nanos) {
    nowNanos += nanos;
  }

  /** Runs the actions that wait for the end of the cycle, when released endpoints are closed. */
  public void release() {
    List<Runnable> due = List.copyOf(releases);
    releases.clear();
    due.forEach(Runnable::run);
  }

  @Override
  public EngineConfig config() {
    return config;
  }

  @Override
  public Incarnation incarnation() {
    return new Incarnation(1, 1);
  }

  @Override
  public long nowNanos() {
    return nowNanos;
  }

  @Override
  public long unseenNanos() {
    return unseenNanos;
  }

  @Override
  public Timers timers() {
    return timers;
  }

  @Override
  public void aside(Runnable task, Runnable next) {
    execute(() -> {
      task.run();
      execute(next);
    });
  }

  @Override
  public void afterRelease(Runnable action) {
    releases.add(action);
  }

  @Override
  public void keepAwake() {
    wakeUps++;
  }

  @Override
  public Occupancy occupancy() {
    return occupancy;
  }

  @Override
  public void subscriptionFailed(String subject) {
    failedSubscriptions.add(subject);
  }

  @Override
  public NodeObserver observer() {
    return NodeObserver.NONE;
  }

  @Override
  public SequenceOrigins origins() {
    return origins;
  }

  @Override
  public void countSent(long count) {
    sent += count;
  }

  @Override
  public void countArrived(long count) {
    arrived += count;
  }

  @Override
  public void countRead(int frames) {}

  @Override
  public void expectMore(boolean more) {
    expectsMore = more;
  }

  @Override
  public boolean expectsMore() {
    return expectsMore;
  }

  @Override
  public boolean fetchesLines() {
    return fetchesLines.getAsBoolean();
  }

  @Override
  public int eagerLimitBytes(int peerRingBytes) {
    int most =
        Math.min(config.limits().maxEagerBytes(), EngineConfig.Limits.maxEagerBytes(peerRingBytes));
    return config.large().hasEagerLimit() ? Math.min(most, config.large().eagerLimitBytes()) : most;
  }

  @Override
  public boolean hasPostedRail() {
    return hasPostedRail;
  }

  @Override
  public Registrations registrations() {
    return registrations;
  }

  @Override
  public SessionMemory sessionMemory() {
    return sessionMemory;
  }

  @Override
  public LargeMemory sourceMemory() {
    return sourceMemory;
  }

  @Override
  public LargeMemory landingMemory() {
    return landingMemory;
  }

  @Override
  public ChannelPolicy channelPolicy() {
    return config.channels().get();
  }

  @Override
  public long giveUpKept() {
    return registrations.clear() + sourceMemory.giveUpKept() + landingMemory.giveUpKept();
  }

  @Override
  public boolean inEngine() {
    return inEngine;
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  @Override
  public void wakeUp() {}

  @Override
  public long randomLong() {
    return 1;
  }

  @Override
  public int pollIo() {
    return 0;
  }
}
