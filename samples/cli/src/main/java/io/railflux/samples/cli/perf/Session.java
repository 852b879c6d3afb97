package io.railflux.samples.cli.perf;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.exceptions.PeerUnreachableException;
import io.railflux.samples.cli.shell.ChildProcess;
import io.railflux.samples.cli.shell.CommandFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** The measuring side of a pair: its node, the peer, and the far process if it was started here. */
final class Session implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Plan plan;
  private final Node node;
  private final Peer peer;
  private final ChildProcess child;

  private Session(Plan plan, Node node, Peer peer, ChildProcess child) {
    this.plan = plan;
    this.node = node;
    this.peer = peer;
    this.child = child;
  }

  /** Starts the far process and connects to it. */
  static Session withOwnPeer(Plan plan) {
    String name = "railflux-perf-" + ProcessHandle.current().pid();
    CompletableFuture<String> ready = new CompletableFuture<>();
    List<String> arguments = new ArrayList<>(List.of(
        "perf",
        "--lifeline",
        "--listen",
        name,
        "--fabric",
        plan.fabric(),
        "--size",
        String.valueOf(plan.sizeBytes())));
    arguments.addAll(plan.secrecy().arguments());
    ChildProcess child = ChildProcess.start("receiver", arguments, ready::complete);
    child.onEnd(ended -> ready.completeExceptionally(
        new CommandFailure(ended.obituary() + "; run the command again")));
    try {
      ready.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      return connect(plan, name, child);
    } catch (java.util.concurrent.ExecutionException e) {
      throw new CommandFailure(CommandFailure.line(e.getCause()), e);
    } catch (TimeoutException | InterruptedException e) {
      child.close();
      throw new CommandFailure("the receiver process did not start in time; is this machine busy?");
    } catch (RuntimeException e) {
      RuntimeException explained = explained(child, e);
      child.close();
      throw explained;
    }
  }

  /** Connects to a {@code perf --listen} started elsewhere, or by {@link #withOwnPeer}. */
  static Session connect(Plan plan, String name, ChildProcess child) {
    Node node = plan.node("perf-sender").start().block();
    try {
      Peer peer = node.connect("shm:" + name).block(PATIENCE);
      return new Session(plan, node, peer, child);
    } catch (RuntimeException e) {
      node.abort();
      throw e instanceof PeerUnreachableException && child == null ? withRemedy(e, name) : e;
    }
  }

  private static CommandFailure withRemedy(RuntimeException unreachable, String name) {
    return new CommandFailure(
        unreachable.getMessage() + "; start the other side first: perf --listen " + name,
        unreachable);
  }

  Plan plan() {
    return plan;
  }

  Peer peer() {
    return peer;
  }

  String nodeName() {
    return node.name();
  }

  void order(Order.Task task, int round, int perSecond) {
    long owner = ProcessHandle.current().pid();
    await(() ->
        peer.request(Order.ROUTE, new Order(task, round, plan.sizeBytes(), perSecond, owner)));
  }

  Figures far() {
    return await(() -> peer.request(Figures.ROUTE, true));
  }

  Figures near() {
    return Figures.of(node.name(), new Counting(0));
  }

  private <T> T await(Supplier<Mono<T>> request) {
    return await(request.get(), PATIENCE);
  }

  /** Waits; the death of the far process is the better explanation of any failure. */
  <T> T await(Mono<T> result, Duration patience) {
    try {
      return result.block(patience);
    } catch (RuntimeException e) {
      throw explained(child, e);
    }
  }

  private static RuntimeException explained(ChildProcess child, RuntimeException failure) {
    if (child == null) {
      return failure;
    }
    try {
      child.ended().get(500, TimeUnit.MILLISECONDS);
      return new CommandFailure(child.obituary() + "; run the command again", failure);
    } catch (TimeoutException alive) {
      return failure;
    } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
      failure.addSuppressed(e);
      return failure;
    }
  }

  @Override
  public void close() {
    node.close().onErrorComplete().block(PATIENCE);
    if (child != null) {
      child.close();
    }
  }
}
