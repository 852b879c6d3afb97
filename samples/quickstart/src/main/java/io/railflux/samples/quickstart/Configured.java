package io.railflux.samples.quickstart;

import io.railflux.Node;
import io.railflux.Railflux;
import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.policy.StripingPolicy;
import java.nio.file.Path;
import java.time.Duration;
import reactor.core.publisher.Mono;

/** A configuration is immutable: every option returns a modified copy. */
final class Configured {

  private Configured() {}

  // tag::small[]
  /** For many peers with small messages. */
  static final Railflux SMALL =
      Railflux.create().ringBytes(256 << 10).maxMessageBytes(16 << 10).maxPeers(1_000);

  /** Sleeps at once without work. */
  static final Railflux FRUGAL = SMALL.maxSpin(Duration.ZERO);
  // end::small[]

  // tag::all[]
  static Mono<Node> start(String name, Path sharedMemory) {
    return Railflux.create()
        .name(name)
        .fabrics(new ShmFabricProvider(sharedMemory))
        .ringBytes(4 << 20)
        .maxMessageBytes(512 << 10)
        .maxStreams(10_000)
        .maxExchanges(256)
        .maxPeers(64)
        .connectionsPerRail(2)
        .detectWithin(Duration.ofMillis(250))
        .partitionTimeout(Duration.ofSeconds(10))
        .drainTimeout(Duration.ofSeconds(2))
        .maxSpin(Duration.ofNanos(50_000))
        .striping(StripingPolicy::roundRobin)
        .propagateContext("traceId")
        .messageBudgetBytes(16 << 20)
        .drainOnShutdown(false)
        .start();
  }
  // end::all[]
}
