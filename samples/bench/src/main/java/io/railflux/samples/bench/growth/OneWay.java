package io.railflux.samples.bench.growth;

import io.railflux.samples.cli.measure.Pace;
import io.railflux.samples.cli.shell.CommandFailure;
import io.railflux.samples.cli.shell.Pause;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;

/** One stream at full rate. The measured time ends when the last message is acknowledged. */
final class OneWay {

  private final Session session;

  OneWay(Session session) {
    this.session = session;
  }

  /** Runs as many rounds as perf does, because the end of a stream triggers recompilation. */
  void warmUp() {
    for (int i = 0; i < Pace.WARM_UPS; i++) {
      perSecond(Traffic.SMALL_BYTES, session.plan().warmUpNanos());
    }
  }

  /** Measures after a warm-up for this size. */
  double perSecond(int sizeBytes) {
    perSecond(sizeBytes, session.plan().warmUpNanos());
    return perSecond(sizeBytes, session.plan().measuredNanos());
  }

  private double perSecond(int sizeBytes, long nanos) {
    int round = session.nextRound();
    session.order(Order.receive(round, 1, sizeBytes, Order.Slow.NONE));
    Traffic traffic = new Traffic(sizeBytes);
    Tally tally = new Tally();
    long begun = System.nanoTime();
    CompletableFuture<Void> sent = session
        .far()
        .send(Order.stream(round, 0), traffic.codec(), traffic.messages(tally))
        .toFuture();
    Pause.of(Duration.ofNanos(nanos));
    traffic.stop();
    session.await(Mono.fromFuture(sent));
    double perSecond = tally.count() * 1e9 / (System.nanoTime() - begun);
    check(session.report(), tally.count());
    return perSecond;
  }

  /** Requires that all messages arrived in order. */
  static void check(Order.Answer far, long sent) {
    if (far.received() != sent) {
      throw new CommandFailure("of " + sent + " messages sent " + far.received()
          + " were received, " + far.misplaced() + " out of place");
    }
    checkOrder(far.misplaced());
  }

  /** Requires that the received messages are in order. */
  static void checkOrder(long misplaced) {
    if (misplaced != 0) {
      throw new CommandFailure(misplaced + " messages were received out of place");
    }
  }
}
