package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.measure.Payload;
import io.railflux.samples.cli.measure.PayloadCodec;
import io.railflux.samples.cli.measure.Sample;
import io.railflux.samples.cli.shell.CommandFailure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A producer without bound and a consumer with little demand. Memory must not grow. */
final class SlowConsumer {

  static final int PER_SECOND = 1_000;
  private static final long MAX_GROWTH_BYTES = 32L << 20;
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  private final Session session;
  private final AtomicLong produced = new AtomicLong();
  private long maxAhead;
  private long beyondDemand;

  SlowConsumer(Session session) {
    this.session = session;
  }

  /**
   * The observations of a run.
   * @param maxAhead maximum number of messages that were produced and not yet consumed
   */
  record Outcome(
      Sample sample,
      Figures nearStart,
      Figures farStart,
      Figures near,
      Figures far,
      long maxAhead) {

    long grownBytes() {
      return Math.max(near.rssBytes() - nearStart.rssBytes(), far.rssBytes() - farStart.rssBytes());
    }

    String text() {
      return String.format(
          "producer at most %d messages ahead of the consumer, never ahead of demand;"
              + " RSS of producer %d to %d MiB, of consumer %d to %d MiB",
          maxAhead,
          nearStart.rssBytes() >> 20,
          near.rssBytes() >> 20,
          farStart.rssBytes() >> 20,
          far.rssBytes() >> 20);
    }
  }

  Outcome run() {
    Plan plan = session.plan();
    session.order(Order.Task.PACE, 0, PER_SECOND);
    long begun = System.nanoTime();
    long nanos = plan.seconds() * 1_000_000_000L;
    long warmUpNanos = 2 * plan.pace().warmUpNanos();
    Production production = new Production(
        Payload.fill(plan.sizeBytes()), plan.sizeBytes(), begun + warmUpNanos + nanos);
    CompletableFuture<Void> sent = session
        .peer()
        .send("perf.out.0", new PayloadCodec(plan.sizeBytes()), counted(production))
        .toFuture();
    watch(begun + warmUpNanos, sent);
    System.gc();
    Figures nearStart = session.near();
    Figures farStart = session.far();
    long counted = System.nanoTime();
    watch(begun + warmUpNanos + nanos, sent);
    Figures far = session.far();
    Sample sample = new Sample(
        far.received() - farStart.received(), System.nanoTime() - counted, Sample.histogram());
    Figures near = session.near();
    sent.cancel(true);
    return checked(new Outcome(sample, nearStart, farStart, near, far, maxAhead));
  }

  private Flux<Payload> counted(Production production) {
    return production.messages().doOnNext(payload -> produced.set(payload.number() + 1));
  }

  private void watch(long untilNanos, CompletableFuture<Void> sent) {
    while (System.nanoTime() - untilNanos < 0) {
      if (sent.isCompletedExceptionally()) {
        session.await(Mono.fromFuture(sent), Session.PATIENCE);
      }
      long consumed = session.far().received();
      long producedBefore = produced.get();
      // Read after the producer's count, so that everything produced is included in the requested
      // number.
      long requested = session.far().requested();
      maxAhead = Math.max(maxAhead, producedBefore - consumed);
      beyondDemand = Math.max(beyondDemand, producedBefore - requested);
      sleep();
    }
  }

  private static void sleep() {
    try {
      Thread.sleep(LOOK_EVERY.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("interrupted");
    }
  }

  private Outcome checked(Outcome outcome) {
    if (beyondDemand > 0) {
      throw new CommandFailure("the producer ran " + beyondDemand + " messages ahead of demand");
    }
    Figures far = outcome.far();
    if (far.misplaced() != 0 || far.damaged() != 0) {
      throw new CommandFailure(
          far.misplaced() + " messages arrived out of place, " + far.damaged() + " damaged");
    }
    if (outcome.grownBytes() > MAX_GROWTH_BYTES) {
      throw new CommandFailure("memory grew by " + (outcome.grownBytes() >> 20)
          + " MiB while the consumer was slow; allowed are " + (MAX_GROWTH_BYTES >> 20) + " MiB");
    }
    return outcome;
  }
}
