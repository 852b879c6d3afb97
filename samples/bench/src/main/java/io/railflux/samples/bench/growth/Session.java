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

/** The measured node, the hub, and the process of those around it. */
final class Session implements AutoCloseable {

  /** So many rails may lead to the hub. */
  static final int ADDRESSES = 5;

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** An engine may hear of a process' death before whoever started it. */
  private static final Duration TOLD_WITHIN = Duration.ofMillis(500);

  private final Plan plan;
  private final Node hub;
  private final ChildProcess child;
  private final Peer far;
  private final Consumer<String> said;
  private int round;

  private Session(Plan plan, Node hub, ChildProcess child, Peer far, Consumer<String> said) {
    this.plan = plan;
    this.hub = hub;
    this.child = child;
    this.far = far;
    this.said = said;
  }

  /** @param said gets what people should know */
  static Session open(Plan plan, Consumer<String> said) {
    boolean metered = plan.part().equals(Metrics.METERED);
    Node hub = Metrics.node(plan.fabric(), "growth-hub", metered);
    List<String> addresses = new ArrayList<>();
    for (int i = 0; i < ADDRESSES; i++) {
      // TCP finds a port itself.
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
      return new Session(plan, hub, child, far, said);
    } catch (RuntimeException e) {
      child.close();
      hub.abort();
      throw e;
    }
  }

  /** The death of the far process is the better explanation of any failure, though it may be told later. */
  private static <T> T orDeath(ChildProcess child, Mono<T> result) {
    Mono<T> death = Mono.fromFuture(child.ended(), true).map(ended -> {
      throw new CommandFailure(ended.obituary());
    });
    Mono<T> explained = result
        .switchIfEmpty(Mono.never())
        .onErrorResume(failure ->
            Mono.firstWithSignal(death, Mono.delay(TOLD_WITHIN).then(Mono.error(failure))));
    return Mono.firstWithSignal(explained, death).block(PATIENCE);
  }

  Plan plan() {
    return plan;
  }

  /** The one node that is always there. */
  Peer far() {
    return far;
  }

  void say(String line) {
    said.accept(line);
  }

  int nextRound() {
    return ++round;
  }

  Order.Answer order(Order order) {
    return orDeath(child, far.request(Order.ROUTE, order));
  }

  Order.Answer tell() {
    return order(Order.of(Order.Task.TELL, 0, 0));
  }

  /** Waits for what ends when the far side does its part. */
  void await(Mono<Void> done) {
    orDeath(child, done.thenReturn(true));
  }

  /**
   * Connects nodes of the far process, a few at a time.
   *
   * @param rails of each
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
