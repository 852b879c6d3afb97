package io.railflux.engine;

import io.railflux.buffer.DirectMemory;
import io.railflux.buffer.MemorySource;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.EngineHost;
import io.railflux.engine.connect.Refusals;
import io.railflux.fabric.SocketLoop;
import io.railflux.metrics.EngineReadings;
import java.security.SecureRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Drives an engine with its own thread, the machine's clock and real I/O, and is the only class that does so. Progress
 * is hybrid: spin for a bounded, adaptive time, arm, look again, sleep.
 */
public final class EngineThread implements EngineHost, EngineReadings {

  private static final Logger LOG = LoggerFactory.getLogger(EngineThread.class);
  /** A running peer answers sooner. A peer without a processor may wait for the very core that this thread spins on. */
  private static final long YIELD_AFTER_NANOS = 2_000;

  /** The same bound if fabrics are polled by system calls: a yield costs as much as a look and finds nothing. */
  private static final long YIELD_AFTER_ASKING_NANOS = 20_000;

  /**
   * Minimum spin time if fabrics are polled. The acknowledgement of an answer follows the answer; an engine asleep by
   * then would be woken once more.
   */
  private static final long MIN_ASKING_NANOS = 2_000;

  /** Pause between two looks at rings that fill fast. */
  private static final long REST_NANOS = 1_000;

  /** Looks before a cycle that would find nothing: 0.2 to 0.4 µs. */
  private static final int LOOKS = 16;

  /**
   * Pause between rounds of tasks that submit one another after the end. The pause keeps such tasks from occupying a
   * processor.
   */
  private static final long LEFTOVERS_PAUSE_MILLIS = 100;

  /** A shorter sleep does not count as sleep: work had arrived already. */
  private static final long SHORTEST_SLEEP_NANOS = 5_000;

  private static final long LONGEST_SLEEP_NANOS = TimeUnit.HOURS.toNanos(1);

  private final SecureRandom random = new SecureRandom();
  private final SequenceOrigins origins = new SequenceOrigins() {
    @Override
    public long firstPsn() {
      return randomLong();
    }
  };
  private final IoLoop io;
  private final Thread thread;
  private final Engine engine;
  private final Refusals refusals;
  private final IdleStrategy spin;
  private final CountDownLatch ended = new CountDownLatch(1);

  private final IdleStrategy.SleepFlag asleep = new IdleStrategy.SleepFlag();
  private final StandIn standIn;
  private final Scheduler scheduler;
  private volatile boolean stopping;
  // Set after all ends caused by the end of the engine are reported, including reports by the
  // scheduler.
  private volatile boolean endReported;
  private Runnable onEnd = () -> {};
  private Runnable unwatch = () -> {};

  // Engine thread only.
  private long slept;
  private boolean justSlept;
  // I/O that ends the sleep runs within it. The time of the last cycle may be hours old then.
  private boolean sleeping;
  // True if the look after arming found the last work: messages arrive so fast that arming is
  // unnecessary.
  private boolean foundByArmedLook;

  /**
   * Creates the engine without starting the thread.
   *
   * @param maxSpinNanos maximum spin time without work before sleeping, in nanoseconds; 0 disables spinning
   */
  public EngineThread(EngineConfig config, long maxSpinNanos) {
    this.spin = new IdleStrategy(maxSpinNanos, System.nanoTime());
    this.io = IoLoop.fastest(System::nanoTime);
    this.thread = io.newThread(this::run, "railflux-" + config.nodeName());
    this.thread.setDaemon(true);
    this.engine = new Engine(config, this, System.nanoTime());
    this.refusals = engine.refusals();
    this.standIn = new StandIn(engine::runLeftovers, EngineThread::runSoon);
    this.scheduler =
        new EngineScheduler(engine, System::nanoTime, Schedulers::onSchedule, () -> endReported);
  }

  public Engine engine() {
    return engine;
  }

  /** Returns the scheduler that runs tasks of users on this thread. */
  public Scheduler scheduler() {
    return scheduler;
  }

  /** Sets the task that runs when all resources are released. Must be called before the start. */
  public void onEnd(Runnable task) {
    onEnd = task;
  }

  public void start() {
    unwatch = EngineWatchdog.watch(thread, engine.nodeName(), engine::cycles, engine.occupancy());
    thread.start();
    if (!DirectMemory.OF_JVM.isKnown()) {
      aside(DirectMemory.OF_JVM::load);
    }
  }

  /** Stops the thread and closes the engine. Returns immediately; see {@link #awaitEnd}. */
  public void stop() {
    stopping = true;
    wakeUp();
  }

  public boolean isStopping() {
    return stopping;
  }

  /** Releases the resources of a thread that was never started. */
  public void abandon() {
    stopping = true;
    io.begin();
    close();
  }

  /** Waits for the end of the thread. Returns whether the thread ended. Must not be called on the engine thread. */
  public boolean awaitEnd(long timeoutNanos) throws InterruptedException {
    return ended.await(timeoutNanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public long sleeps() {
    return slept;
  }

  @Override
  public long cycles() {
    return engine.cycles();
  }

  @Override
  public long busyCycles() {
    return engine.busyCycles();
  }

  @Override
  public long lacking() {
    return engine.rails().stream().mapToLong(rail -> rail.lacking().size()).sum();
  }

  @Override
  public long handshakesRefused() {
    return refusals.handshakes();
  }

  @Override
  public long framesForged() {
    return refusals.frames();
  }

  @Override
  public long framesCorrupted() {
    return refusals.corruptedFrames();
  }

  @Override
  public long sessionsViolated() {
    return refusals.sessions();
  }

  private void run() {
    try {
      io.begin();
      long now = System.nanoTime();
      IdleStrategy.ArrivalPace pace = new IdleStrategy.ArrivalPace(now);
      while (!stopping) {
        long begun = now;
        int work = cycle(begun);
        justSlept = false;
        now = System.nanoTime();
        spin.worked(begun, now, engine.sent(), engine.arrived());
        if (work > 0 && pace.isFast(begun, engine.messagesRead())) {
          now = restUntil(now + REST_NANOS);
        } else if (work == 0 || (!foundByArmedLook && !looksOn(spin.idleNanos(now)))) {
          foundByArmedLook = false;
          now = pause(now);
        } else if (!foundByArmedLook && engine.awaitsPeers()) {
          // Arrivals during a cycle that finds nothing else would wait for the end of that cycle.
          engine.glance(LOOKS);
        }
      }
    } catch (Throwable t) {
      LOG.error("engine thread {} failed and ends", thread.getName(), t);
    } finally {
      close();
    }
  }

  /** Pauses until work may have arrived. Returns the time. */
  @SuppressWarnings(
      "ThreadPriorityCheck") // A hint only: nothing depends on the thread that runs next.
  private long pause(long now) {
    long idleNanos = spin.idleNanos(now);
    if (!looksOn(idleNanos)) {
      return sleep();
    }
    engine.spins();
    if (idleNanos < YIELD_AFTER_NANOS) {
      engine.glance(LOOKS);
      return now;
    } else if (idleNanos >= YIELD_AFTER_ASKING_NANOS || !engine.mayHaveWork()) {
      Thread.yield();
    }
    return System.nanoTime();
  }

  private boolean looksOn(long idleNanos) {
    return spin.mayContinue(idleNanos, 0)
        || (spin.mayContinue(idleNanos, MIN_ASKING_NANOS) && engine.mayHaveWork());
  }

  /** Rests long enough for a batch to arrive. Returns the time. */
  private static long restUntil(long nanos) {
    long now = System.nanoTime();
    while (now - nanos < 0) {
      Thread.onSpinWait();
      now = System.nanoTime();
    }
    return now;
  }

  private int cycle(long now) {
    if (Thread.interrupted()) {
      // A subscriber or codec left the thread interrupted. The flag would keep the selector from
      // sleeping and files from opening.
      LOG.warn(
          "{} was interrupted, which has no effect: close the node to end it", thread.getName());
    }
    return engine.dutyCycle(now);
  }

  /**
   * Arms, looks again and sleeps. Returns the time. The look finds any task or ring write that precedes the arming. Any
   * later task or write finds {@link #asleep} or the fabric's flag set and wakes the thread.
   */
  private long sleep() {
    asleep.set();
    engine.arm();
    long armed = System.nanoTime();
    int found = cycle(armed);
    boolean sleeps = found == 0 && !stopping;
    if (sleeps) {
      waitFor(engine.untilNextTimerNanos(armed));
    }
    long now = System.nanoTime();
    if (sleeps && now - armed >= SHORTEST_SLEEP_NANOS) {
      slept++;
      spin.slept();
    } else if (!sleeps) {
      foundByArmedLook = found > 0;
      spin.worked(armed, now, engine.sent(), engine.arrived());
    }
    asleep.clear();
    engine.disarm();
    return now;
  }

  private void waitFor(long untilTimerNanos) {
    if (untilTimerNanos > 0) {
      sleeping = true;
      if (io.sleep(Math.min(untilTimerNanos, LONGEST_SLEEP_NANOS)) > 0) {
        engine.ioRan();
      }
      sleeping = false;
      justSlept = true;
    }
  }

  private void close() {
    // Also after a failure of the thread: connects from here on are refused.
    stopping = true;
    try (io) {
      engine.close("node '" + engine.nodeName() + "' is closed");
    } catch (Throwable e) {
      LOG.warn("closing the engine of {}", thread.getName(), e);
    } finally {
      unwatch.run();
      ended.countDown();
      reportEnd();
      endReported = true;
      standIn.takeOver();
    }
  }

  /** Runs the tasks on a thread that user code in these tasks may block. */
  private static void runSoon(Runnable tasks) {
    Schedulers.boundedElastic().schedule(tasks, LEFTOVERS_PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void reportEnd() {
    try {
      onEnd.run();
    } catch (Throwable e) {
      LOG.warn("reporting the end of {}", thread.getName(), e);
    }
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // Threads are compared by identity.
  public boolean inEngine() {
    return Thread.currentThread() == thread || standIn.isCurrentThread();
  }

  @Override
  public void wakeUp() {
    if (ended.getCount() == 0) {
      standIn.run();
    } else if (asleep.take()) {
      io.wakeUp();
    }
  }

  @Override
  public long nowNanos(long cycleNanos) {
    return sleeping ? System.nanoTime() : cycleNanos;
  }

  @Override
  public long randomLong() {
    return random.nextLong();
  }

  @Override
  public void aside(Runnable task) {
    Thread helper = new Thread(task, thread.getName() + "-memory");
    helper.setDaemon(true);
    helper.start();
  }

  @Override
  public MemorySource memory() {
    return DirectMemory.OF_JVM;
  }

  @Override
  public SocketLoop socketLoop() {
    return io;
  }

  @Override
  public SequenceOrigins origins() {
    return origins;
  }

  @Override
  public boolean justSlept() {
    return justSlept;
  }

  @Override
  public int pollIo() {
    return io.runNow();
  }
}
