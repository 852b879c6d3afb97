package io.railflux.samples.cli.demo;

import io.railflux.Peer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** The last process. Verifies, counts and times events, and writes file events to the output. */
final class EventSink extends BaseSubscriber<Event> {

  private static final int PACES_PER_SECOND = 50;
  private static final long MAX_NANOS = 3_600_000_000_000L;
  private static final int DIGITS = 3;

  private final Integer perSecond;
  private final boolean timed;
  private final OutputStream output;
  private final Tally tally = new Tally();
  private final Sequence sequence = new Sequence();
  private final Histogram delays = new SynchronizedHistogram(MAX_NANOS, DIGITS);
  private final Map<Event.Kind, Window> windows = new EnumMap<>(Event.Kind.class);
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private Disposable pace = Disposables.disposed();
  private volatile long firstNanos;
  private volatile long lastNanos;

  EventSink(DemoPlan plan, OutputStream output) {
    this.perSecond = plan.slowSink();
    this.timed = !plan.remoteSource();
    this.output = output;
  }

  void receive(Peer stage) {
    stage.receive("windows", Window.CODEC).subscribe(this::opened, failure -> {});
    // Writing may block, so it must not happen on the engine thread.
    stage
        .receive("events", new EventCodec())
        .publishOn(Schedulers.newSingle("demo-sink", true))
        .subscribe(this);
  }

  private void opened(Window window) {
    synchronized (windows) {
      windows.put(window.kind(), window);
    }
  }

  @Override
  protected void hookOnSubscribe(Subscription subscription) {
    if (perSecond == null) {
      requestUnbounded();
      return;
    }
    int step = Math.max(1, perSecond / PACES_PER_SECOND);
    Duration period = Duration.ofNanos(1_000_000_000L * step / perSecond);
    pace = Flux.interval(period).onBackpressureDrop().subscribe(tick -> request(step));
  }

  @Override
  protected void hookOnNext(Event event) {
    time(event);
    sequence.add(event.number());
    tally.add(event);
    if (event.kind() == Event.Kind.FILE && output != null) {
      try {
        output.write(event.payload());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void time(Event event) {
    long now = System.nanoTime();
    firstNanos = tally.total().count() == 0 ? now : firstNanos;
    lastNanos = now;
    if (timed) {
      delays.recordValue(Math.min(Math.max(now - event.sentNanos(), 0), MAX_NANOS));
    }
  }

  @Override
  protected void hookOnComplete() {
    done.complete(null);
  }

  @Override
  protected void hookOnError(Throwable failure) {
    done.completeExceptionally(failure);
  }

  @Override
  protected void hookFinally(reactor.core.publisher.SignalType end) {
    pace.dispose();
  }

  CompletableFuture<Void> done() {
    return done;
  }

  Tally.Total total() {
    return tally.total();
  }

  Sequence sequence() {
    return sequence;
  }

  /** Returns null if source and sink share no clock. */
  Double delayMicros(double percentile) {
    return timed ? Math.round(delays.getValueAtPercentile(percentile) / 100.0) / 10.0 : null;
  }

  /** Returns the time from the first event to the last. */
  double seconds() {
    return (lastNanos - firstNanos) / 1e9;
  }

  Map<Event.Kind, Window> windows() {
    synchronized (windows) {
      return new EnumMap<>(windows);
    }
  }
}
