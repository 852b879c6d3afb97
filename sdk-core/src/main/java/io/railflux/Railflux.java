package io.railflux;

import io.micrometer.core.instrument.MeterRegistry;
import io.railflux.fabric.Checksum;
import io.railflux.fabric.FabricProvider;
import io.railflux.policy.ChannelPolicy;
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
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

// More than 400 lines: public API: more than half of the lines are its documentation.
/**
 * Immutable configuration of a node. Every option returns a modified copy. {@link #start()} validates all options
 * together. Any thread may call any method.
 *
 * <pre>{@code
 * Node node = Railflux.create().name("prices").start().block();
 * }</pre>
 */
public final class Railflux {

  private final Consumer<Settings> options;

  private Railflux(Consumer<Settings> options) {
    this.options = options;
  }

  private Railflux with(Consumer<Settings> option) {
    return new Railflux(options.andThen(option));
  }

  private Settings settings() {
    Settings settings = new Settings();
    options.accept(settings);
    return settings;
  }

  /**
   * Returns the default configuration: shared memory within the host, TCP between hosts, 2 MiB of ring per peer.
   *
   * @return the default configuration
   */
  public static Railflux create() {
    return new Railflux(settings -> {});
  }

  /**
   * Sets the name of the node, as peers, threads, logs and meters show it. Default {@code railflux-<pid>}.
   *
   * @param name 1 to 255 bytes of UTF-8 without control characters
   * @return a modified copy
   */
  public Railflux name(String name) {
    Objects.requireNonNull(name, "name");
    return with(s -> s.name = name);
  }

  /**
   * Sets the fabrics in order of preference. The node skips fabrics that are unavailable on this host; its start
   * fails if none is available. Default shared memory and TCP.
   *
   * @param providers the fabrics; replaces those set before
   * @return a modified copy
   */
  public Railflux fabrics(FabricProvider... providers) {
    List<FabricProvider> all = elements("fabrics", providers);
    return with(s -> s.fabrics = all);
  }

  /**
   * Sets the size of the ring that this node grants to each peer on each rail. The size bounds the bytes in flight
   * towards this node. Default 2 MiB.
   *
   * @param ringBytes size in bytes, a power of two from 64 KiB to 1 GiB
   * @return a modified copy
   */
  public Railflux ringBytes(int ringBytes) {
    return with(s -> s.ringBytes = ringBytes);
  }

  /**
   * Sets the largest message that this node sends or accepts. The smaller limit of both peers applies. Default 1 GiB.
   *
   * @param maxMessageBytes encoded size in bytes, at most 1 GiB
   * @return a modified copy
   */
  public Railflux maxMessageBytes(int maxMessageBytes) {
    return with(s -> s.maxMessageBytes = maxMessageBytes);
  }

  /**
   * Sets the largest message that passes the ring; larger messages use rendezvous. The ring of the peer bounds the
   * limit too. By default the fabrics choose: 256 KiB within a host; 64 KiB over TCP between hosts, and once a peer
   * has several paths of which one is not shared memory; 16 KiB over verbs.
   *
   * @param eagerLimitBytes encoded size in bytes, at most an eighth of {@link #ringBytes}; 0 for the choice of the
   *     fabrics
   * @return a modified copy
   */
  public Railflux eagerLimitBytes(int eagerLimitBytes) {
    return with(s -> s.eagerLimitBytes = eagerLimitBytes);
  }

  /**
   * Sets the memory of the node for outgoing messages beyond the eager limit, from encoding until acknowledgement.
   * One message may exceed it. Lent buffers do not count. Default 64 MiB.
   *
   * @param bytes direct memory in bytes, at least 64 KiB
   * @return a modified copy
   */
  public Railflux sendBudgetBytes(long bytes) {
    return with(s -> s.sendBudgetBytes = bytes);
  }

  /**
   * Sets the memory of the node for incoming messages beyond the eager limit, including owned messages until they are
   * closed. One message may exceed it. Default 64 MiB.
   *
   * @param bytes direct memory in bytes, at least 64 KiB
   * @return a modified copy
   */
  public Railflux receiveBudgetBytes(long bytes) {
    return with(s -> s.receiveBudgetBytes = bytes);
  }

  /**
   * Sets whether the sender writes large messages or the receiver reads them. Default {@link Rendezvous#AUTO}.
   *
   * @param mode mode of transfer
   * @return a modified copy
   */
  public Railflux rendezvous(Rendezvous mode) {
    Objects.requireNonNull(mode, "rendezvous");
    return with(s -> s.rendezvous = mode);
  }

  /**
   * Sets the number of streams that a peer may have open towards this node at the same time, including streams
   * without a subscriber. Default 1,024.
   *
   * @param maxStreams number of streams per peer
   * @return a modified copy
   */
  public Railflux maxStreams(int maxStreams) {
    return with(s -> s.maxStreams = maxStreams);
  }

  /**
   * Sets the number of requests of one peer that this node processes concurrently. Further requests wait at the peer.
   * Default 1,024.
   *
   * @param maxExchanges number of requests per peer
   * @return a modified copy
   */
  public Railflux maxExchanges(int maxExchanges) {
    return with(s -> s.maxExchanges = maxExchanges);
  }

  /**
   * Sets the number of peers that may connect to this node. Default 256.
   *
   * @param maxPeers number of peers
   * @return a modified copy
   */
  public Railflux maxPeers(int maxPeers) {
    return with(s -> s.maxPeers = maxPeers);
  }

  /**
   * Sets the number of connections to each address that this node connects to. Large messages are striped over them;
   * the others carry on while a lost one is restored. Each but the first costs both sides a ring of 16 KiB. Shared
   * memory always has one.
   *
   * <p>By default there is one connection. While large messages keep it busy, the node tries up to 7 further
   * connections to an address outside this host, one at a time. It keeps each connection that raises the rate by a
   * tenth.
   *
   * @param connections number of connections, 1 to 16
   * @return a modified copy
   */
  public Railflux connectionsPerRail(int connections) {
    return with(s -> s.connectionsPerRail = OptionalInt.of(connections));
  }

  /**
   * Sets the interfaces of this host that become rails automatically, in both directions. Default {@link
   * Rails#discovered()}.
   *
   * @param rails selection of interfaces
   * @return a modified copy
   */
  public Railflux rails(Rails rails) {
    Objects.requireNonNull(rails, "rails");
    return with(s -> s.rails = rails);
  }

  /**
   * Sets the time after which a rail without progress is given up: no frame arrived over it, or the peer consumed
   * none of the frames sent over it. Time in which this process was stopped does not count. Shared memory reports the
   * death of a peer itself and ignores this option. Default 500 ms.
   *
   * <p>Both peers need the same value if it is below 100 ms, because a busy reader reports its position within an
   * eighth of its own value.
   *
   * @param bound 1 ms to 365 days
   * @return a modified copy
   */
  public Railflux detectWithin(Duration bound) {
    Objects.requireNonNull(bound, "detectWithin");
    return with(s -> s.detectWithin = bound);
  }

  /**
   * Sets the backoff before a lost rail is connected again. Default 10 ms, doubling up to 160 ms.
   *
   * @param recovery backoff of lost rails
   * @return a modified copy
   */
  public Railflux recovery(Recovery recovery) {
    Objects.requireNonNull(recovery, "recovery");
    return with(s -> s.recovery = recovery);
  }

  /**
   * Sets how often frames of lost rails are sent again. Default over 64 rails in succession.
   *
   * @param retransmission bound for repeated losses
   * @return a modified copy
   */
  public Railflux retransmission(Retransmission retransmission) {
    Objects.requireNonNull(retransmission, "retransmission");
    return with(s -> s.retransmission = retransmission);
  }

  /**
   * Sets how long a message waits for room on its chosen rail before it takes another rail. Default not at all.
   *
   * @param backoff wait for room
   * @return a modified copy
   */
  public Railflux creditBackoff(CreditBackoff backoff) {
    Objects.requireNonNull(backoff, "creditBackoff");
    return with(s -> s.creditBackoff = backoff);
  }

  /**
   * Sets how long streams pause without any rail before they fail. The time starts with the loss of the last rail,
   * regardless of earlier idle time. Over a network a stopped process loses its rails after {@link #detectWithin}.
   * Within a host it keeps them; the time then starts with its first missed heartbeat, at most a third of {@code
   * bound} after it stopped. Time in which this process was stopped does not count. Default 30 s.
   *
   * @param bound at least {@link #detectWithin}, at most 365 days
   * @return a modified copy
   */
  public Railflux partitionTimeout(Duration bound) {
    Objects.requireNonNull(bound, "partitionTimeout");
    return with(s -> s.partitionTimeout = bound);
  }

  /**
   * Sets how long a close waits for messages in flight. Default 5 s.
   *
   * @param bound 1 ms to 365 days
   * @return a modified copy
   */
  public Railflux drainTimeout(Duration bound) {
    Objects.requireNonNull(bound, "drainTimeout");
    return with(s -> s.drainTimeout = bound);
  }

  /**
   * Sets how long a request without a time to live of its own waits for its first reply, including the wait of a {@link
   * Remote} for a session. Then it fails with {@link io.railflux.exceptions.DeadlineExceededException}, and its handler
   * is cancelled. Default 60 s.
   *
   * @param bound longest wait, up to 365 days; zero for no bound
   * @return a modified copy
   */
  public Railflux requestTimeout(Duration bound) {
    Objects.requireNonNull(bound, "requestTimeout");
    return with(s -> s.requestTimeout = bound);
  }

  /**
   * Sets the longest time that the engine thread spins without work before it sleeps. Within the bound the time
   * adapts. A longer time lowers latency; a shorter time saves processor time. Default 200 µs.
   *
   * @param bound longest time; zero disables spinning
   * @return a modified copy
   */
  public Railflux maxSpin(Duration bound) {
    Objects.requireNonNull(bound, "maxSpin");
    return with(s -> s.maxSpin = bound);
  }

  /**
   * Sets the distribution of messages over rails. By default large requests, large replies and messages of 1 MiB and
   * more are cut over all rails; other messages take the rail that delivers them first according to its measured
   * rate.
   *
   * @param policyPerPeer creates the policy of each peer, on the engine thread; {@link #start()} calls it once to validate it
   * @return a modified copy
   */
  public Railflux striping(Supplier<StripingPolicy> policyPerPeer) {
    Objects.requireNonNull(policyPerPeer, "striping");
    return with(s -> s.striping = policyPerPeer);
  }

  /**
   * Sets the choice of the message channels over which peers send to this node: small rings for peers that are quiet,
   * large rings for those that are not. A switch from one channel to another loses, reorders and delays no message of
   * other peers. Default {@link ChannelPolicy#dedicated()}. Peers of an earlier version always have dedicated channels.
   *
   * @param policyPerNode creates the policy of the node, on the engine thread; {@link #start()} calls it once to
   *     validate it
   * @return a modified copy
   */
  public Railflux channels(Supplier<ChannelPolicy> policyPerNode) {
    Objects.requireNonNull(policyPerNode, "channels");
    return with(s -> s.channels = policyPerNode);
  }

  /**
   * Sets the keys of Reactor context entries that cross the wire with streams and requests. Their values must be
   * strings. Default none.
   *
   * @param keys the keys; replaces those set before
   * @return a modified copy
   */
  public Railflux propagateContext(String... keys) {
    List<String> all = elements("propagateContext", keys);
    return with(s -> s.contextKeys = all);
  }

  /**
   * Sets the memory of the node for owned {@link io.railflux.message.Message}s. A stream without an open message may
   * exceed it by one message. Default 64 MiB.
   *
   * @param bytes direct memory in bytes, at least one message of the eager limit
   * @return a modified copy
   */
  public Railflux messageBudgetBytes(long bytes) {
    return with(s -> s.messageBudgetBytes = bytes);
  }

  /**
   * Sets whether SIGTERM and a regular exit of the JVM drain the node. The drain begins when the application closes
   * the node or when no other shutdown hook runs. Threads that may be hooks, but are daemons or have names without
   * "shutdown" and "hook", delay the drain by at most {@link #drainTimeout}. Until the drain the node works normally.
   * Default true.
   *
   * @param drain false if the application closes every node before the JVM exits
   * @return a modified copy
   */
  public Railflux drainOnShutdown(boolean drain) {
    return with(s -> s.drainOnShutdown = drain);
  }

  /**
   * Sets the secret that all peers share. Both sides of every connection prove that they know it, on every fabric.
   * Without a secret this node listens only on addresses that other hosts cannot reach. Default none.
   *
   * @param source source of the secret, read on the engine thread at every handshake; replaces the source set before
   * @return a modified copy
   */
  public Railflux secret(SecretSource source) {
    Objects.requireNonNull(source, "secret");
    return with(s -> s.secrets = source);
  }

  /**
   * Sets when frames are encrypted and authenticated. Encryption needs a secret. Default {@link Encryption#AUTO}.
   *
   * @param when condition of encryption
   * @return a modified copy
   */
  public Railflux encryption(Encryption when) {
    Objects.requireNonNull(when, "encryption");
    return with(s -> s.encryption = when);
  }

  /**
   * Sets whether frames over TCP carry a CRC-32C. A changed byte then ends the connection, which is restored, and
   * does not reach a subscriber. Both directions have checksums if either side requests them. Checksums need no
   * secret and do not detect deliberate changes. Frames that {@link #encryption} or TLS protects have none, and
   * neither have shared memory and RDMA. Default {@link Checksum#ALLOWED}.
   *
   * @param wanted whether this node requests checksums, and accepts connections without them
   * @return a modified copy
   */
  public Railflux checksum(Checksum wanted) {
    Objects.requireNonNull(wanted, "checksum");
    return with(s -> s.checksum = wanted);
  }

  /**
   * Permits this node to listen without a secret on addresses that other hosts reach. Any of them may then connect,
   * and the network can read and change frames. Not permitted by default.
   *
   * @return a modified copy
   */
  public Railflux allowUnauthenticated() {
    return with(s -> s.unauthenticated = true);
  }

  /**
   * Registers the meters of {@link io.railflux.metrics.RailfluxMeter}. Needs Micrometer on the class path. Without a
   * registry metrics cost nothing. Default none.
   *
   * @param registry registry of the application
   * @return a modified copy
   */
  @SuppressWarnings(
      "exports") // Optional: only callers of this method need Micrometer, even to compile.
  public Railflux meterRegistry(MeterRegistry registry) {
    Objects.requireNonNull(registry, "meterRegistry");
    return with(s -> s.meterRegistry = registry);
  }

  /**
   * Starts a node with this configuration. Each subscription starts another node. Cancelling before the node is
   * emitted aborts it.
   *
   * @return the node, emitted on the subscribing thread. Signals {@link IllegalArgumentException} with every invalid
   *     option, and {@link io.railflux.exceptions.FabricUnavailableException} if no fabric is available
   */
  @CheckReturnValue
  public Mono<Node> start() {
    return Mono.create(sink -> {
      Node node = Node.start(settings().build());
      // The subscriber has cancelled and could not close the node.
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
    return "Railflux" + settings();
  }
}
