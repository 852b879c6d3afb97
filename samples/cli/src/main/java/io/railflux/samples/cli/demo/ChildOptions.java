package io.railflux.samples.cli.demo;

import io.railflux.Node;
import io.railflux.Peer;
import io.railflux.Railflux;
import io.railflux.samples.cli.shell.Fabrics;
import io.railflux.samples.cli.shell.Lifeline;
import io.railflux.samples.cli.shell.Secrecy;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import reactor.util.retry.Retry;

/** What both children of the demo are told, and how they begin and end. */
final class ChildOptions {

  private static final Duration RETRY_EVERY = Duration.ofMillis(50);
  private static final int RETRIES = 400;

  @Option(names = "--fabric", required = true)
  private String fabric;

  @Mixin
  private Secrecy secrecy;

  @Option(names = "--connect", required = true)
  private String connect;

  Node start(String name) {
    Railflux configuration = Railflux.create().name(name).fabrics(Fabrics.require(fabric));
    Node node = secrecy.apply(configuration).start().block();
    Lifeline.watch(node);
    return node;
  }

  /** The next process may still be starting. */
  Peer connect(Node node) {
    return node.connect("shm:" + connect)
        .retryWhen(Retry.fixedDelay(RETRIES, RETRY_EVERY))
        .block();
  }

  /** Waits for the parent, which ends this process. */
  static void rest() throws InterruptedException {
    Thread.currentThread().join();
  }
}
