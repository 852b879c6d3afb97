package io.railflux.engine;

import io.netty.channel.IoEventLoop;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.railflux.metrics.EngineReadings;
import java.security.SecureRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Drives an engine with a thread of its own, the machine's clock and real I/O: the one place where the
 * engine meets them. Progress is hybrid: spin for a bounded, adaptive time, arm, look again, sleep.
 */
public final class EngineThread implements EngineHost, EngineReadings {

  private static final Logger LOG = LoggerFactory.getLogger(EngineThread.class);
  /** A peer that runs answers sooner; one that does not may wait for the very core this spins on. */
  private static final long YIELD_AFTER_NANOS = 2_000;

  /** The same where fabrics are asked by system calls: a yield costs as much as a look, and finds nothing. */
  private static final long YIELD_AFTER_ASKING_NANOS = 20_000;

  /**
   * Where fabrics are asked, an engine looks so long at least. Behind an answer comes what acknowledges it:
   * an engine that slept by then would be woken once more.
   */
  private static final long LEAST_ASKING_NANOS = 2_000;

  /** Between two looks at rings that fill fast. */
  private static final long REST_NANOS = 1_000;

  /** Before a cycle that would find nothing: 0.2 to 0.4 µs. */
  private static final int LOOKS = 16;

  private static final long SLOW_SUBSCRIBER_NANOS = 100_000_000;
  /** What ends sooner was no sleep: something had arrived already. */
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
  private final SpinTime spin;
  private final CountDownLatch ended = new CountDownLatch(1);

  private final SleepFlag asleep = new SleepFlag();
  private final StandIn standIn;
  private final Scheduler scheduler;
  private volatile boolean stopping;
  // What ends with the engine is told by then, also to those who hear of it by the scheduler.
  private volatile boolean toldEnd;
  private Runnable onEnd = () -> {};

  // Engine thread only.
  private long slept;
  private boolean justSlept;
  // Since nothing was found last: messages come while it arms, so that it need not.
  private boolean foundByArmedLook;

  /**
   * Starts nothing yet.
   *
   * @param maxSpinNanos longest time to spin without work before sleeping; 0 never spins
   */
  public EngineThread(EngineConfig config, long maxSpinNanos) {
    this.spin = new SpinTime(maxSpinNanos, System.nanoTime());
    this.thread = new Loop(this::run, "railflux-" + config.nodeName());
    this.thread.setDaemon(true);
    this.io = new IoLoop(asleep::isSet, IoLoop.fastest());
    this.engine = new Engine(config, this, System.nanoTime());
    this.standIn = new StandIn(engine::runLeftovers);
    this.scheduler =
        new EngineScheduler(engine, System::nanoTime, Schedulers::onSchedule, () -> toldEnd);
  }

  /**
   * Who waits on it for Reactor's result would wait for himself: {@code block()} refuses. Netty reuses what
   * it needs for a write on threads of this kind only.
   */
  private static final class Loop extends FastThreadLocalThread implements NonBlocking {

    Loop(Runnable task, String name) {
      super(task, name);
    }
  }

  public Engine engine() {
    return engine;
  }

  /** Runs tasks of users on this thread. */
  public Scheduler scheduler() {
    return scheduler;
  }

  /** Sets what runs when all is released. Before the start. */
  public void onEnd(Runnable task) {
    onEnd = task;
  }

  public void start() {
    thread.start();
  }

  /** Ends the thread and closes the engine. Returns at once; see {@link #awaitEnd}. */
  public void stop() {
    stopping = true;
    wakeUp();
  }

  public boolean isStopping() {
    return stopping;
  }

  /** Releases everything of a thread that was never started. */
  public void abandon() {
    stopping = true;
    io.begin();
    close();
  }

  /** Waits for the thread to end; not on the engine thread. Returns whether it did. */
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
    return engine.refusals().handshakes();
  }

  @Override
  public long framesForged() {
    return engine.refusals().frames();
  }

  @Override
  public long sessionsViolated() {
    return engine.refusals().sessions();
  }

  private void run() {
    try {
      io.begin();
      long now = System.nanoTime();
      ArrivalPace pace = new ArrivalPace(now);
      while (!stopping) {
        long begun = now;
        int work = cycle(begun);
        justSlept = false;
        now = System.nanoTime();
        warnIfSlow(now - begun);
        spin.worked(begun, now, engine.sent(), engine.arrived());
        if (work > 0 && pace.isFast(begun, engine.messagesRead())) {
          now = restUntil(now + REST_NANOS);
        } else if (work == 0 || (!foundByArmedLook && !looksOn(spin.idleNanos(now)))) {
          foundByArmedLook = false;
          now = pause(now);
        } else if (!foundByArmedLook && engine.awaitsPeers()) {
          // What came during a cycle that finds nothing else would wait for its end.
          engine.lookOut(LOOKS);
        }
      }
    } catch (Throwable t) {
      LOG.error("engine thread {} failed and ends", thread.getName(), t);
    } finally {
      close();
    }
  }

  /** Until something may have come; returns the time. */
  @SuppressWarnings("ThreadPriorityCheck") // A hint only: nothing depends on who runs next.
  private long pause(long now) {
    long idleNanos = spin.idleNanos(now);
    if (!looksOn(idleNanos)) {
      return sleep();
    }
    engine.spins();
    if (idleNanos < YIELD_AFTER_NANOS) {
      engine.lookOut(LOOKS);
      return now;
    } else if (idleNanos >= YIELD_AFTER_ASKING_NANOS || !engine.mayHaveNews()) {
      Thread.yield();
    }
    return System.nanoTime();
  }

  private boolean looksOn(long idleNanos) {
    return spin.goesOn(idleNanos, 0)
        || (spin.goesOn(idleNanos, LEAST_ASKING_NANOS) && engine.mayHaveNews());
  }

  /** Long enough for a batch; returns the time. */
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
      // By a subscriber or codec. It would keep the selector from sleeping and files from opening.
      LOG.warn("{} was interrupted, which ends nothing: close the node", thread.getName());
    }
    return engine.dutyCycle(now);
  }

  private void warnIfSlow(long took) {
    if (took > SLOW_SUBSCRIBER_NANOS) {
      LOG.warn(
          "{} was held up for {} ms: by a subscriber or codec that blocks (slow consumers must request"
              + " less, or use publishOn), or because the machine or the JVM paused",
          thread.getName(),
          took / 1_000_000);
    }
  }

  /**
   * Arm, look again, sleep; returns the time. A task offered or a ring written before the arming took effect is found
   * by the look; one after it finds {@link #asleep} or the fabric's flag set and wakes.
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
      warnIfSlow(now - armed);
    }
    asleep.clear();
    engine.disarm();
    return now;
  }

  private void waitFor(long untilTimerNanos) {
    if (untilTimerNanos > 0) {
      if (io.sleep(Math.min(untilTimerNanos, LONGEST_SLEEP_NANOS)) > 0) {
        engine.ioRan();
      }
      justSlept = true;
    }
  }

  private void close() {
    // Also where it ends by a failure of its own: who connects from now on is refused.
    stopping = true;
    try (io) {
      engine.close("node '" + engine.nodeName() + "' is closed");
    } catch (RuntimeException e) {
      LOG.warn("closing the engine of {}", thread.getName(), e);
    } finally {
      ended.countDown();
      tellEnd();
      toldEnd = true;
      standIn.takeOver();
    }
  }

  private void tellEnd() {
    try {
      onEnd.run();
    } catch (Throwable e) {
      LOG.warn("telling the end of {}", thread.getName(), e);
    }
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // A thread is nobody but itself.
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
  public IoEventLoop eventLoop() {
    return io.eventLoop();
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
