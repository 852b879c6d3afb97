package io.railflux.samples.bench.growth;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.samples.cli.shell.ChildProcess;
import io.railflux.samples.cli.shell.CommandFailure;
import io.railflux.samples.cli.shell.Network;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import reactor.core.publisher.Mono;

/** The measured node, which is the hub, and the process of its peers. */
final class Session implements AutoCloseable {

  /** The maximum number of rails to the hub. */
  static final int ADDRESSES = 5;

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** Delay until the parent reports the death of a process, which an engine may detect earlier. */
  private static final Duration DEATH_REPORTED_WITHIN = Duration.ofMillis(500);

  private final Plan plan;
  private final Node hub;
  private final ChildProcess child;
  private final Peer far;
  private final Consumer<String> progress;
  private int round;

  private Session(Plan plan, Node hub, ChildProcess child, Peer far, Consumer<String> progress) {
    this.plan = plan;
    this.hub = hub;
    this.child = child;
    this.far = far;
    this.progress = progress;
  }

  /**
   * @param progress receives lines for the user
   */
  static Session open(Plan plan, Consumer<String> progress) {
    boolean metered = plan.part().equals(Metrics.METERED);
    Node hub = Metrics.node(plan.fabric(), "growth-hub", metered);
    List<String> addresses = new ArrayList<>();
    for (int i = 0; i < ADDRESSES; i++) {
      // TCP chooses the port.
      String own = Plan.network(plan.fabric()).ownAddress("growth" + i);
      addresses.add(Network.bind(hub, own));
    }
    List<String> arguments = new ArrayList<>(
        List.of("far", "--fabric", plan.fabric(), "--hub", String.join(",", addresses)));
    if (metered) {
      arguments.add("--metered");
    }
    ChildProcess child = ChildProcess.start(Main.class.getName(), "far", arguments, line -> {});
    try {
      Peer far = orDeath(child, hub.peers().next());
      return new Session(plan, hub, child, far, progress);
    } catch (RuntimeException e) {
      child.close();
      hub.abort();
      throw e;
    }
  }

  /** Reports the death of the far process as the cause of any failure, even if the death is reported later. */
  private static <T> T orDeath(ChildProcess child, Mono<T> result) {
    Mono<T> death = Mono.fromFuture(child.ended(), true).map(ended -> {
      throw new CommandFailure(ended.describeEnd());
    });
    Mono<T> explained = result
        .switchIfEmpty(Mono.never())
        .onErrorResume(failure -> Mono.firstWithSignal(
            death, Mono.delay(DEATH_REPORTED_WITHIN).then(Mono.error(failure))));
    return Mono.firstWithSignal(explained, death).block(PATIENCE);
  }

  Plan plan() {
    return plan;
  }

  /** Returns the far node that exists in every experiment. */
  Peer far() {
    return far;
  }

  void say(String line) {
    progress.accept(line);
  }

  int nextRound() {
    return ++round;
  }

  Order.Answer order(Order order) {
    return orDeath(child, far.request(Order.ROUTE, order));
  }

  Order.Answer report() {
    return order(Order.of(Order.Task.REPORT, 0, 0));
  }

  /** Waits for an action that needs the far side. */
  void await(Mono<Void> done) {
    orDeath(child, done.thenReturn(true));
  }

  /**
   * Connects nodes of the far process, a few at a time.
   * @param rails of each node
   */
  List<Peer> connect(int connectRound, int count, int rails) {
    Order.Crossing crossing = order(Order.connect(connectRound, count, rails)).crossing();
    if (crossing.failed() > 0) {
      throw new CommandFailure(
          crossing.failed() + " of " + count + " nodes did not connect: " + trouble());
    }
    return peers(connectRound, count);
  }

  private List<Peer> peers(int connectRound, int count) {
    return orDeath(
        child,
        hub.peers()
            .filter(peer -> peer.name().startsWith(Order.crowd(connectRound)))
            .take(count)
            .collectList());
  }

  String trouble() {
    return orDeath(child, far.request(Order.TROUBLE, true).defaultIfEmpty(""));
  }

  @Override
  public void close() {
    hub.abort();
    child.close();
  }
}
