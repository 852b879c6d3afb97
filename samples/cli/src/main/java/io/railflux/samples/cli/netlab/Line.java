package io.railflux.samples.cli.netlab;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Railflux;
import io.railflux.samples.cli.measure.PayloadCodec;
import io.railflux.samples.cli.shell.Network;
import io.railflux.samples.cli.shell.Pause;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A node of the near host with the far node as its peer, over some of the rails. */
final class Line implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Duration WARM_UP = Duration.ofSeconds(1);

  private static final AtomicInteger STREAMS = new AtomicInteger();

  private final Node node;
  private final Peer peer;
  private final Consumer<Order.Tally> counted;

  private Line(Node node, Peer peer, Consumer<Order.Tally> counted) {
    this.node = node;
    this.peer = peer;
    this.counted = counted;
  }

  /**
   * @param with further configuration of the near node
   * @param counted receives the tally of each ended stream
   */
  static Line open(
      Network network, UnaryOperator<Railflux> with, Consumer<Order.Tally> counted, int... rails) {
    Node node = with.apply(network.node("netlab-near")).start().block();
    try {
      String addresses =
          IntStream.of(rails).mapToObj(Line::address).collect(Collectors.joining(","));
      return new Line(node, Network.connect(node, addresses), counted);
    } catch (RuntimeException e) {
      node.abort();
      throw e;
    }
  }

  static String address(int rail) {
    return "tcp:" + Cable.farAddress(rail) + ":" + Plan.PORT;
  }

  Peer peer() {
    return peer;
  }

  /** Opens a stream to the far host. */
  Flow flow(int sizeBytes) {
    return Flow.begin(this, STREAMS.incrementAndGet(), sizeBytes);
  }

  void count(Order.Tally tally) {
    counted.accept(tally);
  }

  Order.Answer order(Order order) {
    return peer.request(Order.ROUTE, order).block(PATIENCE);
  }

  /** Measures one stream to the far host, until its last message is acknowledged. */
  double bytesPerSecond(int sizeBytes, Duration measured) {
    warmUp(sizeBytes);
    long begun = System.nanoTime();
    Flow flow = flow(sizeBytes);
    Pause.of(measured);
    return flow.end().received() * (double) sizeBytes * 1e9 / (System.nanoTime() - begun);
  }

  /** Lets the connections probe their capacity and the weights settle. */
  private void warmUp(int sizeBytes) {
    Flow flow = flow(sizeBytes);
    Pause.of(WARM_UP);
    flow.end();
  }

  /** Returns the sum of both directions under simultaneous load. */
  double bytesPerSecondBothWays(int sizeBytes, Duration measured) {
    // The connections have carried almost nothing in the other direction so far.
    bothWays(sizeBytes, WARM_UP);
    long begun = System.nanoTime();
    long received = bothWays(sizeBytes, measured);
    return received * (double) sizeBytes * 1e9 / (System.nanoTime() - begun);
  }

  /** Returns the number of messages received in both directions. */
  private long bothWays(int sizeBytes, Duration lasting) {
    int back = STREAMS.incrementAndGet();
    Witness witness = new Witness(sizeBytes);
    CompletableFuture<Void> ended = new CompletableFuture<>();
    peer.receive(Order.name(back), new PayloadCodec(sizeBytes))
        .doOnTerminate(() -> ended.complete(null))
        .subscribe(witness);
    order(Order.of(Order.Task.SEND, back, sizeBytes));
    Flow flow = flow(sizeBytes);
    Pause.of(lasting);
    order(Order.of(Order.Task.STOP, back, sizeBytes));
    long received = flow.end().received();
    ended.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    count(witness.tally());
    return received + witness.tally().received();
  }

  @Override
  public void close() {
    node.close().onErrorComplete().block(PATIENCE);
  }
}
