package io.railflux;

import io.railflux.crypto.CipherSuite;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.Security;
import io.railflux.fabric.FabricProvider;
import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.fabric.tcp.TcpFabricProvider;
import io.railflux.policy.CreditBackoff;
import io.railflux.policy.Recovery;
import io.railflux.policy.Retransmission;
import io.railflux.policy.StripingPolicy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/** Values of a {@link Railflux}, which {@link SettingsCheck} validates. */
record Settings(
    String name,
    List<FabricProvider> fabrics,
    EngineConfig.Limits limits,
    Bounds bounds,
    Options options,
    Security security,
    List<String> contextKeys) {

  static final Settings DEFAULT = new Settings(
      "railflux-" + ProcessHandle.current().pid(),
      List.of(new ShmFabricProvider(), new TcpFabricProvider()),
      EngineConfig.Limits.DEFAULT,
      Bounds.DEFAULT,
      Options.DEFAULT,
      Security.DEFAULT,
      List.of());

  /** Times, not validated. */
  record Bounds(
      Duration detectWithin,
      Duration partitionTimeout,
      Duration drainTimeout,
      Duration maxSpin,
      Faults faults) {

    static final Bounds DEFAULT = new Bounds(
        Duration.ofNanos(EngineConfig.Timing.DEFAULT.detectNanos()),
        Duration.ofNanos(EngineConfig.Timing.DEFAULT.partitionNanos()),
        Duration.ofNanos(EngineConfig.Timing.DEFAULT.drainNanos()),
        Duration.ofNanos(200_000),
        new Faults(Recovery.DEFAULT, Retransmission.DEFAULT, CreditBackoff.DEFAULT));

    Bounds withDetectWithin(Duration d) {
      return new Bounds(d, partitionTimeout, drainTimeout, maxSpin, faults);
    }

    Bounds withPartitionTimeout(Duration d) {
      return new Bounds(detectWithin, d, drainTimeout, maxSpin, faults);
    }

    Bounds withDrainTimeout(Duration d) {
      return new Bounds(detectWithin, partitionTimeout, d, maxSpin, faults);
    }

    Bounds withMaxSpin(Duration d) {
      return new Bounds(detectWithin, partitionTimeout, drainTimeout, d, faults);
    }

    Bounds withFaults(UnaryOperator<Faults> change) {
      return new Bounds(
          detectWithin, partitionTimeout, drainTimeout, maxSpin, change.apply(faults));
    }
  }

  /** Behaviour for lost rails and rails without room. */
  record Faults(Recovery recovery, Retransmission retransmission, CreditBackoff creditBackoff) {

    Faults with(Recovery r) {
      return new Faults(r, retransmission, creditBackoff);
    }

    Faults with(Retransmission r) {
      return new Faults(recovery, r, creditBackoff);
    }

    Faults with(CreditBackoff c) {
      return new Faults(recovery, retransmission, c);
    }
  }

  /**
   * Options of the node. The registry is an Object so that this class loads without Micrometer.
   *
   * @param large messages that bypass the ring
   * @param connectionsPerRail connections per address; empty for trials
   */
  record Options(
      EngineConfig.Large large,
      long messageBudgetBytes,
      boolean drainOnShutdown,
      OptionalInt connectionsPerRail,
      Supplier<StripingPolicy> striping,
      Rails rails,
      @Nullable Object meterRegistry) {

    static final int MAX_CONNECTIONS = 16;

    static final Options DEFAULT = new Options(
        EngineConfig.Large.DEFAULT,
        64L << 20,
        true,
        OptionalInt.empty(),
        StripingPolicy::byDefault,
        Rails.discovered(),
        null);

    Options withLarge(UnaryOperator<EngineConfig.Large> change) {
      EngineConfig.Large changed = change.apply(large);
      return new Options(
          changed,
          messageBudgetBytes,
          drainOnShutdown,
          connectionsPerRail,
          striping,
          rails,
          meterRegistry);
    }

    Options withMessageBudgetBytes(long bytes) {
      return new Options(
          large, bytes, drainOnShutdown, connectionsPerRail, striping, rails, meterRegistry);
    }

    Options withDrainOnShutdown(boolean drain) {
      return new Options(
          large, messageBudgetBytes, drain, connectionsPerRail, striping, rails, meterRegistry);
    }

    Options withConnectionsPerRail(int count) {
      return new Options(
          large,
          messageBudgetBytes,
          drainOnShutdown,
          OptionalInt.of(count),
          striping,
          rails,
          meterRegistry);
    }

    Options withStriping(Supplier<StripingPolicy> policy) {
      return new Options(
          large,
          messageBudgetBytes,
          drainOnShutdown,
          connectionsPerRail,
          policy,
          rails,
          meterRegistry);
    }

    Options withRails(Rails which) {
      return new Options(
          large,
          messageBudgetBytes,
          drainOnShutdown,
          connectionsPerRail,
          striping,
          which,
          meterRegistry);
    }

    Options withMeterRegistry(Object registry) {
      return new Options(
          large,
          messageBudgetBytes,
          drainOnShutdown,
          connectionsPerRail,
          striping,
          rails,
          registry);
    }
  }

  Settings withName(String n) {
    return new Settings(n, fabrics, limits, bounds, options, security, contextKeys);
  }

  Settings withFabrics(List<FabricProvider> f) {
    return new Settings(name, f, limits, bounds, options, security, contextKeys);
  }

  Settings withContextKeys(List<String> keys) {
    return new Settings(name, fabrics, limits, bounds, options, security, keys);
  }

  Settings withLimits(UnaryOperator<EngineConfig.Limits> change) {
    return new Settings(
        name, fabrics, change.apply(limits), bounds, options, security, contextKeys);
  }

  Settings withBounds(UnaryOperator<Bounds> change) {
    return new Settings(
        name, fabrics, limits, change.apply(bounds), options, security, contextKeys);
  }

  Settings withOptions(UnaryOperator<Options> change) {
    return new Settings(
        name, fabrics, limits, bounds, change.apply(options), security, contextKeys);
  }

  Settings withSecurity(UnaryOperator<Security> change) {
    return new Settings(
        name, fabrics, limits, bounds, options, change.apply(security), contextKeys);
  }

  /** Returns the largest message that is copied out of a ring of this node. */
  int maxEagerBytes() {
    return Math.min(limits.maxMessageBytes(), limits.maxEagerBytes());
  }

  /** @throws IllegalArgumentException with all invalid options */
  Settings validated() {
    List<String> wrong = SettingsCheck.problems(this);
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException("configuration of node '" + SettingsCheck.shortened(name)
          + "': " + String.join("; ", wrong));
    }
    return this;
  }

  EngineConfig engineConfig() {
    EngineConfig.Timing timing = EngineConfig.Timing.DEFAULT
        .withDetectNanos(bounds.detectWithin.toNanos())
        .withPartitionNanos(bounds.partitionTimeout.toNanos())
        .withDrainNanos(bounds.drainTimeout.toNanos())
        .withCreditPatienceNanos(bounds.faults.creditBackoff.patience().toNanos())
        .withRetry(
            EngineConfig.RetryPolicy.of(bounds.faults.recovery, bounds.faults.retransmission));
    Security fitting =
        security.secrets() == null ? security : security.withCipher(CipherSuite.fastestHere());
    return new EngineConfig(name, limits, options.large, timing, options.striping, fitting);
  }

  /** Returns the propagated entries of a context. */
  Map<String, String> pick(ContextView context) {
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
