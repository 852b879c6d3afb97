package io.railflux;

import io.railflux.engine.base.EngineConfig;
import io.railflux.fabric.FabricProvider;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * Validated configuration of a node.
 *
 * @param fabrics in order of preference
 * @param messageBudgetBytes memory of messages that subscribers own
 * @param maxSpinNanos largest time without work before the engine thread sleeps
 * @param requestTimeoutNanos longest wait of a request for its first reply; 0 for any
 * @param contextKeys propagated entries of the Reactor context
 * @param meterRegistry null for none. An Object, so that this class loads without Micrometer
 */
record NodeConfig(
    List<FabricProvider> fabrics,
    EngineConfig engine,
    Links links,
    long messageBudgetBytes,
    long maxSpinNanos,
    long requestTimeoutNanos,
    boolean drainOnShutdown,
    List<String> contextKeys,
    @Nullable Object meterRegistry) {

  /**
   * Choice of paths to peers.
   *
   * @param rails interfaces that take part in discovery
   * @param connectionsPerRail connections per address; empty for trials
   */
  record Links(Rails rails, OptionalInt connectionsPerRail) {}

  String name() {
    return engine.nodeName();
  }

  long drainNanos() {
    return engine.timing().drainNanos();
  }

  /** Returns the largest message that is copied out of a ring of this node. */
  int maxEagerBytes() {
    return maxEagerBytes(engine.limits());
  }

  static int maxEagerBytes(EngineConfig.Limits limits) {
    return Math.min(limits.maxMessageBytes(), limits.maxEagerBytes());
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
