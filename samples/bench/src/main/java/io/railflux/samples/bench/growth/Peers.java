package io.railflux.samples.bench.growth;

import io.railflux.Peer;
import io.railflux.samples.cli.measure.Pace;
import io.railflux.samples.cli.measure.PayloadCodec;
import io.railflux.samples.cli.shell.Pause;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Nodes around a hub: all send to the hub, then the hub sends to all. Over TCP in alternation with the same number of
 * bare sockets.
 */
final class Peers implements Measurement {

  static final String FAN_IN = "fan-in";
  static final String FAN_OUT = "fan-out";

  private static final int[] COUNTS = {1, 4, 16, 64, 256, 512};

  /**
   * Time until the hub's rings of all peers are full. Before, the hub reads sockets faster than it empties rings. The
   * outbound direction has the same warm-up.
   */
  private static final long WARM_UP_NANOS_A_PEER = 12_000_000;

  private final Session session;

  Peers(Session session) {
    this.session = session;
  }

  @Override
  public void run(Consumer<Figure> figures) {
    for (int i = 0; i < Pace.WARM_UPS / 2; i++) {
      measure(1, warmingUp -> {});
    }
    for (int count : session.plan().points(COUNTS)) {
      measure(1, figures);
      if (count > 1) {
        measure(count, figures);
      }
    }
  }

  private void measure(int count, Consumer<Figure> figures) {
    int round = session.nextRound();
    List<Peer> peers = session.connect(round, count, 1);
    figures.accept(figure(FAN_IN, count, fanIn(round, peers)));
    figures.accept(figure(FAN_OUT, count, fanOut(round, peers)));
    session.order(Order.of(Order.Task.DISCONNECT, round, count));
    if (session.plan().fabric().equals("tcp")) {
      BareHub bare = new BareHub(session.plan());
      figures.accept(figure(BareHub.FAN_IN, count, bare.in(count)));
      figures.accept(figure(BareHub.FAN_OUT, count, bare.out(count)));
    }
  }

  private static Figure figure(String curve, int count, double perSecond) {
    return new Figure(curve, count, perSecond, Tally.UNIT, count == 1);
  }

  private double fanIn(int round, List<Peer> peers) {
    Tally received = new Tally();
    Tally misplaced = new Tally();
    for (Peer peer : peers) {
      peer.receive(Order.stream(round, 0), new PayloadCodec(Traffic.SMALL_BYTES))
          .subscribe(new Drain(received, misplaced, Long.MAX_VALUE));
    }
    session.order(Order.of(Order.Task.SEND_ALL, round, peers.size()));
    double perSecond = warmedUp(received, peers.size());
    session.order(Order.of(Order.Task.STOP_ALL, round, peers.size()));
    OneWay.checkOrder(misplaced.count());
    return perSecond;
  }

  private double fanOut(int round, List<Peer> peers) {
    session.order(Order.of(Order.Task.RECEIVE_ALL, round, peers.size()));
    Traffic traffic = new Traffic(Traffic.SMALL_BYTES);
    Tally tally = new Tally();
    Mono<Void> sent = Flux.fromIterable(peers)
        .flatMap(
            peer -> peer.send(Order.stream(round, 1), traffic.codec(), traffic.messages(tally)),
            Integer.MAX_VALUE)
        .then()
        .cache();
    sent.subscribe(null, failure -> {});
    double perSecond = warmedUp(tally, peers.size());
    traffic.stop();
    session.await(sent);
    OneWay.checkOrder(session.report().misplaced());
    return perSecond;
  }

  static long warmUpNanos(Plan plan, int peers) {
    return Math.max(plan.warmUpNanos(), peers * WARM_UP_NANOS_A_PEER);
  }

  private double warmedUp(Tally tally, int peers) {
    Pause.of(Duration.ofNanos(warmUpNanos(session.plan(), peers)));
    return tally.perSecond(session.plan().measuredNanos());
  }
}
