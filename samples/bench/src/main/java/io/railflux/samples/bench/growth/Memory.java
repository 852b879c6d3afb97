package io.railflux.samples.bench.growth;

import io.railflux.Peer;
import io.railflux.samples.cli.shell.CommandFailure;
import io.railflux.samples.cli.shell.Pause;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import reactor.core.publisher.Flux;

/** What an idle stream, peer or rail takes, by the growth of a process that gets many of them. */
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
  public void run(Consumer<Figure> told) {
    streams(session.plan().atMost(STREAMS), told);
    peers(session.plan().atMost(PEERS), told);
    rails(session.plan().atMost(RAIL_PEERS), told);
  }

  /** Of both sides together. */
  private void streams(int count, Consumer<Figure> told) {
    // What the first ones load stays for all.
    open(1);
    MemoryFigures before = ofBoth();
    open(count);
    tell("stream, both sides", count, before, ofBoth(), told);
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
    // Everything said before has arrived when this was answered.
    MemoryFigures far = session.tell().memory();
    return MemoryFigures.now().plus(far);
  }

  /** Of the hub. */
  private void peers(int count, Consumer<Figure> told) {
    session.connect(session.nextRound(), 1, 1);
    MemoryFigures before = MemoryFigures.now();
    session.connect(session.nextRound(), count, 1);
    tell("peer, one side", count, before, MemoryFigures.now(), told);
  }

  /** Of the hub: what peers with several rails take beyond as many with one. */
  private void rails(int peers, Consumer<Figure> told) {
    awaitRails(session.connect(session.nextRound(), 1, Session.ADDRESSES));
    MemoryFigures none = MemoryFigures.now();
    session.connect(session.nextRound(), peers, 1);
    MemoryFigures one = MemoryFigures.now();
    awaitRails(session.connect(session.nextRound(), peers, Session.ADDRESSES));
    MemoryFigures all = MemoryFigures.now();
    int further = peers * (Session.ADDRESSES - 1);
    tell("rail, one side", further, one.plus(one), all.plus(none), told);
  }

  /** The first one connects a peer, the others join in the background. */
  private static void awaitRails(List<Peer> peers) {
    long deadline = System.nanoTime() + Crowd.PATIENCE.toNanos();
    for (Peer peer : peers) {
      while (peer.explain().split("over ", -1).length <= Session.ADDRESSES) {
        if (System.nanoTime() - deadline > 0) {
          throw new CommandFailure("rails did not join in time: " + peer.explain());
        }
        Pause.of(Duration.ofNanos(LOOK_EVERY_NANOS));
      }
    }
  }

  private static void tell(
      String what, int count, MemoryFigures before, MemoryFigures after, Consumer<Figure> told) {
    figure(what + ", heap", count, after.heap() - before.heap(), told);
    figure(what + ", direct", count, after.direct() - before.direct(), told);
    figure(what + ", mapped", count, after.mapped() - before.mapped(), told);
    figure(what + ", resident", count, after.resident() - before.resident(), told);
  }

  private static void figure(String what, int count, long grownBytes, Consumer<Figure> told) {
    told.accept(Figure.of(what, count, (double) grownBytes / count, "B"));
  }
}
