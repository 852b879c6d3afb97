package io.railflux.samples.cli.perf;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.exceptions.PeerUnreachableException;
import io.railflux.samples.cli.shell.ChildProcess;
import io.railflux.samples.cli.shell.CommandFailure;
import io.railflux.samples.cli.shell.Lifeline;
import io.railflux.samples.cli.shell.Listening;
import io.railflux.samples.cli.shell.Network;
import io.railflux.samples.cli.shell.ThreadTimes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The measuring side of a pair: its node, the peer, and the far process if this side started it. */
final class Session implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Name of the node of the far process. */
  static final String FAR_NODE = "perf-receiver";

  private final Plan plan;
  private final Node node;
  private final String address;
  private final Peer peer;
  private final ChildProcess child;
  private final Milestones milestones;

  /** Times at which the node began to start and to connect, and at which it was connected. */
  record Milestones(long startingNanos, long connectingNanos, long connectedNanos) {}

  private Session(
      Plan plan, Node node, String address, Peer peer, ChildProcess child, Milestones milestones) {
    this.plan = plan;
    this.node = node;
    this.address = address;
    this.peer = peer;
    this.child = child;
    this.milestones = milestones;
  }

  /** Starts the far process and connects to it. */
  static Session withOwnPeer(Plan plan) {
    CompletableFuture<String> ready = new CompletableFuture<>();
    List<String> arguments = new ArrayList<>(List.of(
        "perf",
        "--lifeline",
        "--listen",
        plan.network().ownAddress("perf"),
        "--size",
        String.valueOf(plan.sizeBytes()),
        "--work",
        plan.work().toString()));
    arguments.addAll(List.of("--workload", plan.workload().toString()));
    arguments.addAll(plan.network().secrecy().arguments());
    ChildProcess child = ChildProcess.start("receiver", arguments, line -> {
      // A JVM may be configured to print further lines.
      if (Listening.isAnnouncement(line)) {
        ready.complete(line);
      }
    });
    child.onEnd(ended -> ready.completeExceptionally(
        new CommandFailure(ended.describeEnd() + "; run the command again")));
    try {
      String line = ready.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      return connect(plan, Listening.address(line), child);
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

  /** Connects to a {@code perf --listen} that the user or {@link #withOwnPeer} started. */
  static Session connect(Plan plan, String address, ChildProcess child) {
    long starting = System.nanoTime();
    Node node = plan.node("perf-sender").start().block();
    try {
      long connecting = System.nanoTime();
      Peer peer = node.connect(address).block(PATIENCE);
      Milestones milestones = new Milestones(starting, connecting, System.nanoTime());
      return new Session(plan, node, address, peer, child, milestones);
    } catch (RuntimeException e) {
      node.abort();
      throw e instanceof PeerUnreachableException && child == null ? withRemedy(e, address) : e;
    }
  }

  private static CommandFailure withRemedy(RuntimeException unreachable, String address) {
    return new CommandFailure(
        unreachable.getMessage() + " (start the other side first: perf --listen " + address + ")",
        unreachable);
  }

  Plan plan() {
    return plan;
  }

  Peer peer() {
    return peer;
  }

  /** Returns the scheduler that sends messages after pauses. */
  Scheduler sender() {
    return plan.workload() == Workload.WAKE_UP_RELAYED ? Schedulers.parallel() : node.scheduler();
  }

  Milestones milestones() {
    return milestones;
  }

  /** Returns the threads of this process and, if this side started it, of the far process. */
  List<ThreadTimes> threadTimes() {
    List<ThreadTimes> processes = new ArrayList<>();
    processes.add(new ThreadTimes(ProcessHandle.current().pid(), node.name()));
    if (child != null) {
      processes.add(new ThreadTimes(child.pid(), FAR_NODE));
    }
    return processes.get(0).available() ? processes : List.of();
  }

  String nodeName() {
    return node.name();
  }

  /** Returns the port of a bare socket, or 0. */
  int order(Order.Task task, int round, int perSecond) {
    long owner = ProcessHandle.current().pid();
    return await(() -> peer.request(
        Order.ROUTE, new Order(task, round, plan.sizeBytes(), perSecond, owner, plan.work())));
  }

  Figures far() {
    return await(() -> peer.request(Figures.ROUTE, true));
  }

  Figures near() {
    return Figures.of(node.name(), Counting.none());
  }

  private <T> T await(Supplier<Mono<T>> request) {
    return await(request.get(), PATIENCE);
  }

  /** Waits for a result. If the far process died, its death is the cause of any failure. */
  <T> T await(Mono<T> result, Duration patience) {
    try {
      return result.block(patience);
    } catch (RuntimeException e) {
      throw explained(child, e);
    }
  }

  /** Returns the host of the far process' address. Requires a fabric whose addresses contain a host. */
  String farHost() {
    return Network.host(address);
  }

  RuntimeException explained(RuntimeException failure) {
    return explained(child, failure);
  }

  private static RuntimeException explained(ChildProcess child, RuntimeException failure) {
    if (child == null) {
      return failure;
    }
    try {
      child.ended().get(500, TimeUnit.MILLISECONDS);
      return new CommandFailure(child.describeEnd() + "; run the command again", failure);
    } catch (TimeoutException alive) {
      return failure;
    } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
      failure.addSuppressed(e);
      return failure;
    }
  }

  /** Ends this process with its parent, as the far process does. */
  void endWithParent() {
    Lifeline.watch(node);
  }

  @Override
  public void close() {
    node.close().onErrorComplete().block(PATIENCE);
    if (child != null) {
      child.close();
    }
  }
}
