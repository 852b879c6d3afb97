package io.railflux;

import io.railflux.crypto.CipherSuite;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.Security;
import io.railflux.fabric.Checksum;
import io.railflux.fabric.FabricProvider;
import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.policy.ChannelPolicy;
import io.railflux.policy.CreditBackoff;
import io.railflux.policy.Recovery;
import io.railflux.policy.Rendezvous;
import io.railflux.policy.Retransmission;
import io.railflux.policy.StripingPolicy;
import io.railflux.security.Encryption;
import io.railflux.security.SecretSource;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builder of a {@link NodeConfig}: the options of a {@link Railflux} as the user passed them, with their defaults. A
 * {@link Railflux} applies its options to new settings for each start.
 */
final class Settings {

  static final int MAX_CONNECTIONS = 16;

  private static final EngineConfig.Limits LIMITS = EngineConfig.Limits.DEFAULT;
  private static final EngineConfig.Large LARGE = EngineConfig.Large.DEFAULT;
  private static final EngineConfig.Timing TIMING = EngineConfig.Timing.DEFAULT;

  String name = "railflux-" + ProcessHandle.current().pid();
  List<FabricProvider> fabrics = List.of(new ShmFabricProvider(), new TcpFabricProvider());
  Rails rails = Rails.discovered();

  /** Connections per address; empty for trials. */
  OptionalInt connectionsPerRail = OptionalInt.empty();

  Supplier<StripingPolicy> striping = StripingPolicy::byDefault;
  Supplier<ChannelPolicy> channels = ChannelPolicy::dedicated;

  int ringBytes = LIMITS.ringBytes();
  int maxMessageBytes = LIMITS.maxMessageBytes();
  int maxStreams = LIMITS.maxStreams();
  int maxExchanges = LIMITS.maxExchanges();
  int maxPeers = LIMITS.maxPeers();

  int eagerLimitBytes = LARGE.eagerLimitBytes();
  long sendBudgetBytes = LARGE.sendBudgetBytes();
  long receiveBudgetBytes = LARGE.receiveBudgetBytes();
  Rendezvous rendezvous = LARGE.mode();
  long messageBudgetBytes = 64L << 20;

  Duration detectWithin = Duration.ofNanos(TIMING.detectNanos());
  Duration partitionTimeout = Duration.ofNanos(TIMING.partitionNanos());
  Duration drainTimeout = Duration.ofNanos(TIMING.drainNanos());
  /** Zero for none. */
  Duration requestTimeout = Duration.ofSeconds(60);

  Duration maxSpin = Duration.ofNanos(200_000);
  Recovery recovery = Recovery.DEFAULT;
  Retransmission retransmission = Retransmission.DEFAULT;
  CreditBackoff creditBackoff = CreditBackoff.DEFAULT;

  @Nullable
  SecretSource secrets;

  Encryption encryption = Security.DEFAULT.encryption();
  Checksum checksum = Security.DEFAULT.checksum();
  boolean unauthenticated;

  List<String> contextKeys = List.of();
  boolean drainOnShutdown = true;

  /** A meter registry, or null. An Object, so that this class loads without Micrometer. */
  @Nullable
  Object meterRegistry;

  EngineConfig.Limits limits() {
    // The log grows with the ring, because it holds the frames in flight.
    return new EngineConfig.Limits(
        ringBytes,
        ringBytes,
        LIMITS.reorderWindow(),
        maxMessageBytes,
        maxStreams,
        maxExchanges,
        maxPeers);
  }

  EngineConfig.Large large() {
    return new EngineConfig.Large(
        eagerLimitBytes, sendBudgetBytes, receiveBudgetBytes, rendezvous, LARGE.pieces());
  }

  private EngineConfig.Timing timing() {
    return new EngineConfig.Timing(
        detectWithin.toNanos(),
        partitionTimeout.toNanos(),
        TIMING.handshakeNanos(),
        drainTimeout.toNanos(),
        creditBackoff.patience().toNanos(),
        EngineConfig.RetryPolicy.of(recovery, retransmission));
  }

  private Security security() {
    CipherSuite cipher = secrets == null ? Security.DEFAULT.cipher() : CipherSuite.fastestHere();
    return new Security(secrets, encryption, cipher, unauthenticated, checksum);
  }

  /** @throws IllegalArgumentException with all invalid options */
  NodeConfig build() {
    List<String> wrong = SettingsCheck.problems(this);
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException("configuration of node '" + SettingsCheck.shortened(name)
          + "': " + String.join("; ", wrong));
    }
    EngineConfig engine =
        new EngineConfig(name, limits(), large(), timing(), striping, channels, security());
    return new NodeConfig(
        fabrics,
        engine,
        new NodeConfig.Links(rails, connectionsPerRail),
        messageBudgetBytes,
        maxSpin.toNanos(),
        requestTimeout.toNanos(),
        drainOnShutdown,
        contextKeys,
        meterRegistry);
  }

  /** Text for people; the format may change. */
  @Override
  public String toString() {
    return "[name=" + name + ", fabrics=" + fabrics + ", rails=" + rails + ", connectionsPerRail="
        + connectionsPerRail + ", " + limits() + ", " + large() + ", messageBudgetBytes="
        + messageBudgetBytes + ", detectWithin=" + detectWithin + ", partitionTimeout="
        + partitionTimeout + ", drainTimeout=" + drainTimeout + ", requestTimeout=" + requestTimeout
        + ", maxSpin=" + maxSpin + ", "
        + recovery + ", " + retransmission + ", " + creditBackoff + ", encryption=" + encryption
        + ", checksum=" + checksum + ", propagateContext=" + contextKeys + "]";
  }
}
