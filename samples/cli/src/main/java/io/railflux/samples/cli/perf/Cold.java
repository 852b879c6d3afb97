package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.measure.Payload;
import io.railflux.samples.cli.measure.PayloadCodec;
import io.railflux.samples.cli.measure.Reading;
import io.railflux.samples.cli.measure.Sample;
import io.railflux.samples.cli.shell.CommandFailure;
import io.railflux.samples.cli.shell.ThreadTimes;
import io.railflux.samples.cli.shell.ThreadTimes.Purpose;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Round trips from the first message of two new processes on, without a warm-up. Messages are due at a fixed rate, by
 * a timer of the node, whether or not earlier ones have returned. The time of a message begins when it was due, so a
 * pause counts for every message that it delays. A message belongs to the second in which it was due.
 */
final class Cold {

  /** Streams that the far side echoes without an order, which would load classes before the first message. */
  static final String OUT = "perf.cold.out";

  static final String BACK = "perf.cold.back";

  /** Both engines spin between two messages, as in a busy service, and the compilers have to share processors. */
  static final int PER_SECOND = 10_000;

  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1) / PER_SECOND;

  /** Completed seconds. Any thread may read them. */
  final List<Sample> seconds = new CopyOnWriteArrayList<>();

  private final Session session;
  private final PayloadCodec codec;
  private final ByteBuffer fill;
  private final Reading reading;
  private final Sinks.Many<Payload> pings = Sinks.unsafe().many().unicast().onBackpressureBuffer();
  private final long count;
  private final CompletableFuture<Long> firstNanos = new CompletableFuture<>();

  // Engine thread only.
  private long sent;
  private long returned;
  private Histogram times = Sample.histogram();
  private long begunNanos;

  Cold(Session session) {
    this.session = session;
    this.codec = new PayloadCodec(session.plan().sizeBytes());
    this.fill = Payload.fill(session.plan().sizeBytes());
    this.reading = session.plan().reading();
    this.count = (long) session.plan().seconds() * PER_SECOND;
  }

  ColdResult measure() {
    begunNanos = System.nanoTime();
    Mono<Void> out = session.peer().send(OUT, codec, pings.asFlux());
    Flux<Payload> back = session.peer().receive(BACK, codec).doOnNext(this::onReturn);
    CompletableFuture<Void> over = Mono.when(out, back.then()).toFuture();
    Disposable clock =
        session.sender().schedulePeriodically(this::sendDue, 0, PERIOD_NANOS, TimeUnit.NANOSECONDS);
    try {
      awaitFirst(over);
      // Not earlier, because it loads classes.
      List<ThreadTimes> processes = session.threadTimes();
      List<Map<Purpose, Long>> taken = readEachSecond(processes, over);
      session.await(Mono.fromFuture(over), Session.PATIENCE);
      return result(processes.size(), taken);
    } finally {
      clock.dispose();
      over.cancel(true);
    }
  }

  private void sendDue() {
    long due = Math.min(count, (System.nanoTime() - begunNanos) / PERIOD_NANOS + 1);
    while (sent < due) {
      // Messages may wait for demand, so each one needs its own view.
      Payload payload = new Payload();
      payload.wrap(fill, 0, session.plan().sizeBytes());
      if (pings.tryEmitNext(payload.number(sent++)).isFailure()) {
        // The stream has failed, which ends the measurement.
        return;
      }
      if (sent == count) {
        pings.tryEmitComplete().orThrow();
      }
    }
  }

  private void onReturn(Payload message) {
    reading.read(message.buffer(), message.offset());
    long now = System.nanoTime();
    if (message.number() != returned) {
      throw new CommandFailure(
          "message " + message.number() + " arrived instead of message " + returned);
    }
    if (returned++ == 0) {
      firstNanos.complete(now);
    }
    Sample.record(times, now - begunNanos - message.number() * PERIOD_NANOS);
    if (returned % PER_SECOND == 0) {
      seconds.add(new Sample(PER_SECOND, TimeUnit.SECONDS.toNanos(1), times));
      times = Sample.histogram();
    }
  }

  private void awaitFirst(CompletableFuture<Void> over) {
    if (!awaits(CompletableFuture.anyOf(firstNanos, over), Session.PATIENCE.toNanos())) {
      throw new CommandFailure(
          "the first message did not return; the listening side needs --workload cold, too");
    }
  }

  /** Returns the processor times of both processes in each second; empty if the kernel does not provide them. */
  private List<Map<Purpose, Long>> readEachSecond(
      List<ThreadTimes> processes, CompletableFuture<Void> over) {
    List<Map<Purpose, Long>> read = new ArrayList<>();
    for (int second = 1; second <= session.plan().seconds() && !processes.isEmpty(); second++) {
      long until = begunNanos + TimeUnit.SECONDS.toNanos(second);
      if (awaits(over, until - System.nanoTime()) && second < session.plan().seconds()) {
        break;
      }
      read.add(ColdResult.sum(processes.stream().map(ThreadTimes::next).toList()));
    }
    return read;
  }

  /** Returns whether the future completed within the time. */
  private boolean awaits(CompletableFuture<?> future, long nanos) {
    try {
      future.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw session.explained(
          e.getCause() instanceof RuntimeException cause ? cause : new CommandFailure("" + e, e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted", e);
    }
  }

  private ColdResult result(int processes, List<Map<Purpose, Long>> taken) {
    // Not earlier, because it loads the classes of the management interface.
    long jvmNanos = System.nanoTime()
        - TimeUnit.MILLISECONDS.toNanos(ManagementFactory.getRuntimeMXBean().getUptime());
    Session.Milestones until = session.milestones();
    long first = firstNanos.join();
    return new ColdResult(
        PerfResult.Subject.of(session.plan(), count),
        PER_SECOND,
        ColdResult.millis(until.connectingNanos() - until.startingNanos()),
        ColdResult.millis(first - jvmNanos),
        ColdResult.millis(until.connectedNanos() - until.connectingNanos()),
        ColdResult.millis(first - until.connectingNanos()),
        processes == 0 ? null : processes,
        ColdResult.seconds(seconds, taken));
  }
}
