package io.railflux.samples.bench.growth;

import io.railflux.Peer;
import io.railflux.samples.cli.shell.Pause;
import java.time.Duration;
import java.util.stream.IntStream;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Streams to one peer, some of which have slow readers. */
final class Bundle {

  private final Session session;

  Bundle(Session session) {
    this.session = session;
  }

  /**
   * Returns the rate of the streams with fast readers, after all streams are open.
   * @param slow the streams with slow readers
   */
  double perSecond(int count, Order.Slow slow) {
    int round = session.nextRound();
    session.order(Order.receive(round, count, Traffic.SMALL_BYTES, slow));
    Traffic traffic = new Traffic(Traffic.SMALL_BYTES);
    Tally ofSlow = new Tally();
    Disposable.Composite sendingSlowly = Disposables.composite();
    for (int i = 0; i < slow.streams(); i++) {
      sendingSlowly.add(send(round, i, traffic, ofSlow).subscribe(null, failure -> {}));
    }
    Tally tally = new Tally();
    Mono<Void> sent = Flux.fromStream(IntStream.range(slow.streams(), count).boxed())
        .flatMap(i -> send(round, i, traffic, tally), Integer.MAX_VALUE)
        .then()
        .cache();
    sent.subscribe(null, failure -> {});
    Pause.of(Duration.ofNanos(session.plan().warmUpNanos()));
    double perSecond = tally.perSecond(session.plan().measuredNanos());
    traffic.stop();
    session.await(sent);
    sendingSlowly.dispose();
    Order.Answer far = session.report();
    if (slow.streams() == 0) {
      OneWay.check(far, tally.count());
    }
    OneWay.checkOrder(far.misplaced());
    return perSecond;
  }

  private Mono<Void> send(int round, int number, Traffic traffic, Tally tally) {
    Peer far = session.far();
    return far.send(Order.stream(round, number), traffic.codec(), traffic.messages(tally));
  }
}
