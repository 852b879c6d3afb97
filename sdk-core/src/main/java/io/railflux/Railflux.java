package io.railflux;

import io.micrometer.core.instrument.MeterRegistry;
import io.railflux.engine.EngineConfig;
import io.railflux.fabric.FabricProvider;
import io.railflux.policy.CreditBackoff;
import io.railflux.policy.Recovery;
import io.railflux.policy.Rendezvous;
import io.railflux.policy.Retransmission;
import io.railflux.policy.StripingPolicy;
import io.railflux.security.Encryption;
import io.railflux.security.SecretSource;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
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

  /** The defaults: shared memory on this host, TCP to others, 2 MiB of ring per peer. */
  public static Railflux create() {
    return new Railflux(Settings.DEFAULT);
  }

  /** Name of the node as its peers and threads show it; default {@code railflux-<pid>}. */
  public Railflux name(String name) {
    return new Railflux(settings.withName(Objects.requireNonNull(name, "name")));
  }

  /**
   * Fabrics to use, in order of preference. Default: shared memory and TCP. Those unavailable on this
   * machine are left out; it is an error when none is left.
   */
  public Railflux fabrics(FabricProvider... providers) {
    return new Railflux(settings.withFabrics(elements("fabrics", providers)));
  }

  /**
   * Eager ring granted to each peer and rail, in bytes, a power of two from 64 KiB. Larger rings carry
   * more in flight; each costs its size in shared memory. Default 2 MiB.
   */
  public Railflux ringBytes(int ringBytes) {
    return new Railflux(settings.withLimits(l -> l.withRingBytes(ringBytes)));
  }

  /**
   * Largest message accepted or sent, in bytes, at most 1 GiB. The smaller limit of two peers holds for
   * both. Default 1 GiB.
   */
  public Railflux maxMessageBytes(int maxMessageBytes) {
    return new Railflux(settings.withLimits(l -> l.withMaxMessageBytes(maxMessageBytes)));
  }

  /**
   * Largest message that is copied through the ring, in bytes; larger ones go by rendezvous, straight
   * from memory to memory. At most an eighth of {@link #ringBytes}; the peer's ring bounds it, too. 0, the
   * default, leaves it to the fabrics: 256 KiB within a host, 64 KiB over TCP to another host and from when a
   * peer has several paths of which one is not shared memory, 16 KiB over verbs.
   */
  public Railflux eagerLimitBytes(int eagerLimitBytes) {
    return large(l -> l.withEagerLimitBytes(eagerLimitBytes));
  }

  /**
   * Memory of the node in which messages beyond the eager limit are encoded and held until they are
   * acknowledged, in bytes, at least 64 KiB; one message beyond it may proceed alone. Buffers that are
   * sent from where they lie do not count. Default 64 MiB.
   */
  public Railflux sendBudgetBytes(long bytes) {
    return large(l -> l.withSendBudgetBytes(bytes));
  }

  /**
   * Memory of the node in which messages beyond the eager limit arrive, in bytes, at least 64 KiB, owned
   * ones included until they are closed; one message beyond it may proceed alone. Default 64 MiB.
   */
  public Railflux receiveBudgetBytes(long bytes) {
    return large(l -> l.withReceiveBudgetBytes(bytes));
  }

  /** Whether large messages are written by their sender or read by their receiver. Default AUTO. */
  public Railflux rendezvous(Rendezvous mode) {
    Objects.requireNonNull(mode, "rendezvous");
    return large(l -> l.withMode(mode));
  }

  private Railflux large(UnaryOperator<EngineConfig.Large> change) {
    return new Railflux(settings.withOptions(o -> o.withLarge(change)));
  }

  /** Streams a peer may have open towards this node at once. Default 1,024. */
  public Railflux maxStreams(int maxStreams) {
    return new Railflux(settings.withLimits(l -> l.withMaxStreams(maxStreams)));
  }

  /** Requests of one peer answered at once; further ones wait at the peer. Default 1,024. */
  public Railflux maxExchanges(int maxExchanges) {
    return new Railflux(settings.withLimits(l -> l.withMaxExchanges(maxExchanges)));
  }

  /** Peers that may connect to this node. Default 256. */
  public Railflux maxPeers(int maxPeers) {
    return new Railflux(settings.withLimits(l -> l.withMaxPeers(maxPeers)));
  }

  /**
   * Connections to each address this node connects to, 1 to 16: they share what is sent, and what one
   * loses goes over the others while it is made again. Each but the first costs both sides a ring of 16 KiB. Over shared
   * memory there is always one. Default: one, and while large messages keep it busy, up to 7 more to
   * addresses outside of this host, one at a time, as long as each makes them faster by a tenth.
   */
  public Railflux connectionsPerRail(int connections) {
    return new Railflux(settings.withOptions(o -> o.withConnectionsPerRail(connections)));
  }

  /**
   * Which interfaces of this host become rails by themselves, in both directions. Default {@link
   * Rails#discovered()}: all that are up but loopback, containers' and tunnels'.
   */
  public Railflux rails(Rails rails) {
    Objects.requireNonNull(rails, "rails");
    return new Railflux(settings.withOptions(o -> o.withRails(rails)));
  }

  /**
   * Silence or lack of progress after which a rail is given up, where the fabric does not report the
   * death of a peer itself (shared memory does): nothing came over it, or nothing of what was sent was taken, while
   * this process was not itself held up. Less than 100 ms should be so at both sides: how far a busy reader came, it
   * tells within an eighth of its own. Default 500 ms.
   */
  public Railflux detectWithin(Duration bound) {
    return bounds("detectWithin", bound, Settings.Bounds::withDetectWithin);
  }

  /** How a rail that was lost is made again. Default after 10 ms, later after up to 160 ms. */
  public Railflux recovery(Recovery recovery) {
    Objects.requireNonNull(recovery, "recovery");
    return new Railflux(settings.withBounds(b -> b.withFaults(f -> f.with(recovery))));
  }

  /** How often what a lost rail carried is sent again. Default over 64 rails in succession. */
  public Railflux retransmission(Retransmission retransmission) {
    Objects.requireNonNull(retransmission, "retransmission");
    return new Railflux(settings.withBounds(b -> b.withFaults(f -> f.with(retransmission))));
  }

  /** What a message does when the rail that was chosen for it has no room. Default over another one at once. */
  public Railflux creditBackoff(CreditBackoff backoff) {
    Objects.requireNonNull(backoff, "creditBackoff");
    return new Railflux(settings.withBounds(b -> b.withFaults(f -> f.with(backoff))));
  }

  /** How long streams pause while a peer cannot be reached before they fail. Default 30 s. */
  public Railflux partitionTimeout(Duration bound) {
    return bounds("partitionTimeout", bound, Settings.Bounds::withPartitionTimeout);
  }

  /** Longest time a close waits for what is under way. Default 5 s. */
  public Railflux drainTimeout(Duration bound) {
    return bounds("drainTimeout", bound, Settings.Bounds::withDrainTimeout);
  }

  /**
   * Longest time the engine spins without work before it sleeps; it adapts below that. Longer answers
   * a busy peer faster, shorter burns less; zero always sleeps. Default 200 µs.
   */
  public Railflux maxSpin(Duration bound) {
    return bounds("maxSpin", bound, Settings.Bounds::withMaxSpin);
  }

  private Railflux bounds(
      String option,
      Duration value,
      BiFunction<Settings.Bounds, Duration, Settings.Bounds> change) {
    Objects.requireNonNull(value, option);
    return new Railflux(settings.withBounds(b -> change.apply(b, value)));
  }

  /**
   * How messages are spread over rails. By default large requests and replies, and messages of 1 MiB and
   * more, are cut over all rails, others go whole where they are there first, by what rails were measured to
   * move.
   */
  public Railflux striping(Supplier<StripingPolicy> policyPerPeer) {
    Objects.requireNonNull(policyPerPeer, "striping");
    return new Railflux(settings.withOptions(o -> o.withStriping(policyPerPeer)));
  }

  /**
   * Keys of Reactor context entries (strings) that cross the wire with streams and requests. Replaces
   * the keys named before. Default none.
   */
  public Railflux propagateContext(String... keys) {
    return new Railflux(settings.withContextKeys(elements("propagateContext", keys)));
  }

  /**
   * Memory for owned {@link io.railflux.message.Message}s per node, in bytes. A stream that holds none
   * may get one beyond it. Default 64 MiB.
   */
  public Railflux messageBudgetBytes(long bytes) {
    return new Railflux(settings.withOptions(o -> o.withMessageBudgetBytes(bytes)));
  }

  /** Whether SIGTERM and a regular exit of the JVM drain the node. Default true. */
  public Railflux drainOnShutdown(boolean drain) {
    return new Railflux(settings.withOptions(o -> o.withDrainOnShutdown(drain)));
  }

  /**
   * What peers have to know: every connection, on whatever fabric, then begins with both sides showing
   * that they do. Replaces the source named before. Default none, and then this node listens only where
   * nobody from outside can connect.
   */
  public Railflux secret(SecretSource source) {
    Objects.requireNonNull(source, "secret");
    return new Railflux(settings.withSecurity(s -> s.withSecrets(source)));
  }

  /** When frames are encrypted and authenticated one by one; needs a secret. Default AUTO. */
  public Railflux encryption(Encryption when) {
    Objects.requireNonNull(when, "encryption");
    return new Railflux(settings.withSecurity(s -> s.withEncryption(when)));
  }

  /**
   * Lets this node listen without a secret where others reach it: whoever does may connect, and the
   * network may read and change what is sent.
   */
  public Railflux allowUnauthenticated() {
    return new Railflux(settings.withSecurity(s -> s.withUnauthenticated(true)));
  }

  /**
   * Registers the meters of {@link io.railflux.metrics.RailfluxMeter} with {@code registry}; without
   * one, metrics cost nothing. Needs Micrometer on the class path.
   */
  @SuppressWarnings("exports") // Optional: only who calls this needs Micrometer, even to compile.
  public Railflux meterRegistry(MeterRegistry registry) {
    Objects.requireNonNull(registry, "meterRegistry");
    return new Railflux(settings.withOptions(o -> o.withMeterRegistry(registry)));
  }

  /**
   * Starts a node with this configuration; each subscription starts another.
   *
   * <p>Fails with {@link IllegalArgumentException} naming every wrong value, or {@link
   * io.railflux.exceptions.FabricUnavailableException} with reason and remedy.
   */
  public Mono<Node> start() {
    return Mono.create(sink -> {
      Node node = Node.start(settings.validated());
      // Nobody waits for it any more: nobody could close it.
      sink.onCancel(node::abort);
      sink.success(node);
    });
  }

  private static <T> List<T> elements(String option, T[] values) {
    Objects.requireNonNull(values, option);
    for (T value : values) {
      Objects.requireNonNull(value, () -> option + " has a null among " + Arrays.toString(values));
    }
    return List.of(values);
  }

  @Override
  public String toString() {
    return "Railflux" + settings;
  }
}
