package io.railflux.samples.bench.growth;

import io.railflux.Peer;
import io.railflux.metrics.RailStatus;
import io.railflux.samples.cli.shell.CommandFailure;
import io.railflux.samples.cli.shell.Pause;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import reactor.core.publisher.Flux;

/** The memory of an idle stream, peer or rail, derived from the growth of a process with many of them. */
final class Memory implements Measurement {

  private static final int STREAMS = 10_000;
  private static final int PEERS = 64;
  private static final int RAIL_PEERS = 8;
  private static final long LOOK_EVERY_NANOS = 20_000_000;

  private final Session session;

  Memory(Session session) {
    this.session = session;
  }

  @Override
  public void run(Consumer<Figure> figures) {
    streams(session.plan().atMost(STREAMS), figures);
    peers(session.plan().atMost(PEERS), figures);
    rails(session.plan().atMost(RAIL_PEERS), figures);
  }

  /** Memory of both sides. */
  private void streams(int count, Consumer<Figure> figures) {
    // The first streams load classes and structures that later streams share.
    open(1);
    MemoryFigures before = ofBoth();
    open(count);
    report("stream, both sides", count, before, ofBoth(), figures);
  }

  private void open(int count) {
    int round = session.nextRound();
    session.order(Order.receive(round, count, Traffic.SMALL_BYTES, Order.Slow.NONE));
    Traffic none = new Traffic(Traffic.SMALL_BYTES);
    for (int i = 0; i < count; i++) {
      session
          .far()
          .send(Order.stream(round, i), none.codec(), Flux.never())
          .subscribe(null, failure -> {});
    }
  }

  private MemoryFigures ofBoth() {
    // The answer implies that all earlier frames have arrived.
    MemoryFigures far = session.report().memory();
    return MemoryFigures.now().plus(far);
  }

  /** Memory of the hub. */
  private void peers(int count, Consumer<Figure> figures) {
    session.connect(session.nextRound(), 1, 1);
    MemoryFigures before = MemoryFigures.now();
    session.connect(session.nextRound(), count, 1);
    report("peer, one side", count, before, MemoryFigures.now(), figures);
  }

  /** Memory of the hub: the difference between peers with several rails and peers with one. */
  private void rails(int peers, Consumer<Figure> figures) {
    awaitRails(session.connect(session.nextRound(), 1, Session.ADDRESSES));
    MemoryFigures none = MemoryFigures.now();
    session.connect(session.nextRound(), peers, 1);
    MemoryFigures one = MemoryFigures.now();
    awaitRails(session.connect(session.nextRound(), peers, Session.ADDRESSES));
    MemoryFigures all = MemoryFigures.now();
    int further = peers * (Session.ADDRESSES - 1);
    report("rail, one side", further, one.plus(one), all.plus(none), figures);
  }

  /** Waits until all rails joined. The first rail connects a peer, and the others join in the background. */
  private static void awaitRails(List<Peer> peers) {
    long deadline = System.nanoTime() + Crowd.PATIENCE.toNanos();
    for (Peer peer : peers) {
      while (peer.rails().stream().filter(RailStatus::available).count() < Session.ADDRESSES) {
        if (System.nanoTime() - deadline > 0) {
          throw new CommandFailure("rails did not join in time: " + peer.explain());
        }
        Pause.of(Duration.ofNanos(LOOK_EVERY_NANOS));
      }
    }
  }

  private static void report(
      String what, int count, MemoryFigures before, MemoryFigures after, Consumer<Figure> figures) {
    figure(what + ", heap", count, after.heap() - before.heap(), figures);
    figure(what + ", direct", count, after.direct() - before.direct(), figures);
    figure(what + ", mapped", count, after.mapped() - before.mapped(), figures);
    figure(what + ", resident", count, after.resident() - before.resident(), figures);
  }

  private static void figure(String what, int count, long grownBytes, Consumer<Figure> figures) {
    figures.accept(Figure.of(what, count, (double) grownBytes / count, "B"));
  }
}
