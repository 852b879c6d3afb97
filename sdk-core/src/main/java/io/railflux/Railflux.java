package io.railflux;

import io.micrometer.core.instrument.MeterRegistry;
import io.railflux.engine.EngineConfig;
import io.railflux.fabric.FabricProvider;
import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.policy.Striping;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/**
 * Configuration of a node: immutable, every method returns a changed copy, all of it is checked
 * together by {@link #start()}.
 *
 * <pre>{@code
 * Node node = Railflux.create().name("prices").start().block();
 * }</pre>
 */
public final class Railflux {

  private final Settings settings;

  private Railflux(Settings settings) {
    this.settings = settings;
  }

  /** The defaults: shared memory on this host, 2 MiB of ring per peer. */
  public static Railflux create() {
    return new Railflux(Settings.DEFAULT);
  }

  /** Name of the node as its peers and threads show it; default {@code railflux-<pid>}. */
  public Railflux name(String name) {
    Objects.requireNonNull(name, "name");
    return new Railflux(settings.withName(name));
  }

  /**
   * Fabrics to use, in order of preference. Default: shared memory. Those unavailable on this machine
   * are left out; it is an error when none is left.
   */
  public Railflux fabrics(FabricProvider... providers) {
    return new Railflux(settings.withFabrics(List.of(providers)));
  }

  /**
   * Eager ring granted to each peer and rail, in bytes, a power of two from 64 KiB. Larger rings carry
   * more in flight; each costs its size in shared memory. Default 2 MiB.
   */
  public Railflux ringBytes(int ringBytes) {
    return limits(l -> l.withRingBytes(ringBytes));
  }

  /**
   * Largest message accepted or sent, in bytes; at most an eighth of the ring. The smaller limit of
   * two peers holds for both. Default 256 KiB.
   */
  public Railflux maxMessageBytes(int maxMessageBytes) {
    return limits(l -> l.withMaxMessageBytes(maxMessageBytes));
  }

  /** Streams a peer may have open towards this node at once. Default 1,024. */
  public Railflux maxStreams(int maxStreams) {
    return limits(l -> l.withMaxStreams(maxStreams));
  }

  /** Requests of one peer answered at once; further ones wait at the peer. Default 1,024. */
  public Railflux maxExchanges(int maxExchanges) {
    return limits(l -> l.withMaxExchanges(maxExchanges));
  }

  /** Peers that may connect to this node. Default 256. */
  public Railflux maxPeers(int maxPeers) {
    return limits(l -> l.withMaxPeers(maxPeers));
  }

  private Railflux limits(java.util.function.UnaryOperator<EngineConfig.Limits> change) {
    return new Railflux(settings.withLimits(change.apply(settings.limits())));
  }

  /**
   * Silence or lack of progress after which a rail is given up, where the fabric does not report the
   * death of a peer itself (shared memory does). Default 500 ms.
   */
  public Railflux detectWithin(Duration bound) {
    return timing(t -> t.withDetectNanos(nanos("detectWithin", bound)));
  }

  /** How long streams pause while a peer cannot be reached before they fail. Default 30 s. */
  public Railflux partitionTimeout(Duration bound) {
    return timing(t -> t.withPartitionNanos(nanos("partitionTimeout", bound)));
  }

  /** Longest time a close waits for what is under way. Default 5 s. */
  public Railflux drainTimeout(Duration bound) {
    return timing(t -> t.withDrainNanos(nanos("drainTimeout", bound)));
  }

  private Railflux timing(java.util.function.UnaryOperator<EngineConfig.Timing> change) {
    return new Railflux(settings.withTiming(change.apply(settings.timing())));
  }

  private static long nanos(String what, Duration bound) {
    if (bound.isNegative() || bound.isZero()) {
      throw new IllegalArgumentException(what + " must be positive, was " + bound);
    }
    return bound.toNanos();
  }

  /**
   * Longest time the engine spins without work before it sleeps; it adapts below that. Longer answers
   * a busy peer faster, shorter burns less; zero always sleeps. Default 200 µs.
   */
  public Railflux maxSpin(Duration bound) {
    if (bound.isNegative()) {
      throw new IllegalArgumentException("maxSpin must not be negative, was " + bound);
    }
    return new Railflux(settings.withMaxSpinNanos(bound.toNanos()));
  }

  /** How messages are spread over rails. Default round robin. */
  public Railflux striping(Supplier<Striping> policyPerPeer) {
    return new Railflux(settings.withStriping(Objects.requireNonNull(policyPerPeer)));
  }

  /**
   * Keys of Reactor context entries (strings) that cross the wire with streams and requests. Replaces
   * the keys named before. Default none.
   */
  public Railflux propagateContext(String... keys) {
    return new Railflux(settings.withContextKeys(List.of(keys)));
  }

  /** Memory for owned {@link io.railflux.message.Message}s per node, in bytes. Default 64 MiB. */
  public Railflux messageBudgetBytes(long bytes) {
    return new Railflux(settings.withMessageBudgetBytes(bytes));
  }

  /** Whether SIGTERM and a regular exit of the JVM drain the node. Default true. */
  public Railflux drainOnShutdown(boolean drain) {
    return new Railflux(settings.withDrainOnShutdown(drain));
  }

  /**
   * Registers the meters of {@link io.railflux.metrics.RailfluxMeter} with {@code registry}; without
   * one, metrics cost nothing. Needs Micrometer on the class path.
   */
  @SuppressWarnings("exports") // Optional: only who calls this needs Micrometer, even to compile.
  public Railflux meterRegistry(MeterRegistry registry) {
    return new Railflux(settings.withMeterRegistry(Objects.requireNonNull(registry)));
  }

  /**
   * Starts a node with this configuration; each subscription starts another.
   *
   * <p>Fails with {@link IllegalArgumentException} naming every wrong value, or {@link
   * io.railflux.exceptions.FabricUnavailableException} with reason and remedy.
   */
  public Mono<Node> start() {
    return Mono.fromCallable(() -> Node.start(settings.validated()));
  }

  @Override
  public String toString() {
    return "Railflux" + settings;
  }

  /** All values; package-private because users see only the methods above. */
  record Settings(
      String name,
      List<FabricProvider> fabrics,
      EngineConfig.Limits limits,
      EngineConfig.Timing timing,
      Options options,
      List<String> contextKeys) {

    static final Settings DEFAULT = new Settings(
        "railflux-" + ProcessHandle.current().pid(),
        List.of(new ShmFabricProvider()),
        EngineConfig.Limits.DEFAULT,
        EngineConfig.Timing.DEFAULT,
        Options.DEFAULT,
        List.of());

    /**
     * What concerns the node rather than its peers. The registry is an Object so that this loads
     * without Micrometer.
     */
    record Options(
        long maxSpinNanos,
        long messageBudgetBytes,
        boolean drainOnShutdown,
        Supplier<Striping> striping,
        Object meterRegistry) {

      static final Options DEFAULT =
          new Options(200_000, 64L << 20, true, Striping::roundRobin, null);
    }

    Settings withName(String n) {
      return new Settings(n, fabrics, limits, timing, options, contextKeys);
    }

    Settings withFabrics(List<FabricProvider> f) {
      return new Settings(name, f, limits, timing, options, contextKeys);
    }

    Settings withLimits(EngineConfig.Limits l) {
      return new Settings(name, fabrics, l, timing, options, contextKeys);
    }

    Settings withTiming(EngineConfig.Timing t) {
      return new Settings(name, fabrics, limits, t, options, contextKeys);
    }

    Settings withContextKeys(List<String> keys) {
      return new Settings(name, fabrics, limits, timing, options, keys);
    }

    private Settings withOptions(Options o) {
      return new Settings(name, fabrics, limits, timing, o, contextKeys);
    }

    Settings withMaxSpinNanos(long nanos) {
      Options o = options;
      return withOptions(
          new Options(nanos, o.messageBudgetBytes, o.drainOnShutdown, o.striping, o.meterRegistry));
    }

    Settings withMessageBudgetBytes(long bytes) {
      Options o = options;
      return withOptions(
          new Options(o.maxSpinNanos, bytes, o.drainOnShutdown, o.striping, o.meterRegistry));
    }

    Settings withDrainOnShutdown(boolean drain) {
      Options o = options;
      return withOptions(
          new Options(o.maxSpinNanos, o.messageBudgetBytes, drain, o.striping, o.meterRegistry));
    }

    Settings withMeterRegistry(MeterRegistry registry) {
      Options o = options;
      return withOptions(new Options(
          o.maxSpinNanos, o.messageBudgetBytes, o.drainOnShutdown, o.striping, registry));
    }

    Settings withStriping(Supplier<Striping> s) {
      Options o = options;
      return withOptions(
          new Options(o.maxSpinNanos, o.messageBudgetBytes, o.drainOnShutdown, s, o.meterRegistry));
    }

    EngineConfig engineConfig() {
      return new EngineConfig(name, limits, timing, options.striping);
    }

    /** Everything wrong at once, with names and values. */
    Settings validated() {
      List<String> wrong = new ArrayList<>();
      int nameBytes = name.getBytes(StandardCharsets.UTF_8).length;
      if (nameBytes < 1 || nameBytes > 255) {
        wrong.add("name must have 1 to 255 bytes of UTF-8, has " + nameBytes);
      }
      if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
        wrong.add("name has an unpaired surrogate");
      }
      if (fabrics.isEmpty()) {
        wrong.add("fabrics must not be empty");
      }
      wrong.addAll(limits.problems());
      if (timing.partitionNanos() < timing.detectNanos()) {
        wrong.add("partitionTimeout (" + Duration.ofNanos(timing.partitionNanos())
            + ") must not be shorter than detectWithin ("
            + Duration.ofNanos(timing.detectNanos()) + ")");
      }
      if (options.messageBudgetBytes < limits.maxMessageBytes()) {
        wrong.add("messageBudgetBytes (" + options.messageBudgetBytes
            + ") must hold one message of maxMessageBytes (" + limits.maxMessageBytes() + ")");
      }
      if (!wrong.isEmpty()) {
        throw new IllegalArgumentException("node '" + name + "': " + String.join("; ", wrong));
      }
      return this;
    }

    /** The chosen entries of a context that are there. */
    Map<String, String> pick(reactor.util.context.ContextView context) {
      if (contextKeys.isEmpty() || context.isEmpty()) {
        return Map.of();
      }
      Map<String, String> picked = new LinkedHashMap<>();
      for (String key : contextKeys) {
        context.getOrEmpty(key).ifPresent(value -> picked.put(key, String.valueOf(value)));
      }
      return picked;
    }
  }
}
