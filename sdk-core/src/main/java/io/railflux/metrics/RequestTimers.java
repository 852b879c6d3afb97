package io.railflux.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One timer per route and outcome, created on first use. Any thread. */
final class RequestTimers implements RequestTimes {

  private static final Logger LOG = LoggerFactory.getLogger(RequestTimers.class);

  private final MeterRegistry registry;
  private final Tags nodeTags;
  private final Map<String, Map<Outcome, Timer>> requested = new ConcurrentHashMap<>();
  private final Map<String, Map<Outcome, Timer>> answered = new ConcurrentHashMap<>();
  private volatile boolean closed;

  RequestTimers(MeterRegistry registry, Tags nodeTags) {
    this.registry = registry;
    this.nodeTags = nodeTags;
  }

  @Override
  public void requested(String route, long nanos, Outcome outcome) {
    record(requested, RailfluxMeter.CLIENT_REQUESTS, route, nanos, outcome);
  }

  @Override
  public void answered(String route, long nanos, Outcome outcome) {
    record(answered, RailfluxMeter.SERVER_REQUESTS, route, nanos, outcome);
  }

  private void record(
      Map<String, Map<Outcome, Timer>> byRoute,
      RailfluxMeter meter,
      String route,
      long nanos,
      Outcome outcome) {
    if (closed) {
      return;
    }
    try {
      Map<Outcome, Timer> timers = byRoute.get(route);
      if (timers == null) {
        timers = byRoute.computeIfAbsent(route, name -> timers(meter, name));
      }
      timers.get(outcome).record(nanos, TimeUnit.NANOSECONDS);
    } catch (RuntimeException e) {
      // Of the registry, its filters or listeners, which are the user's.
      LOG.error("the meter registry threw for route '{}'", route, e);
    }
  }

  private Map<Outcome, Timer> timers(RailfluxMeter meter, String route) {
    Map<Outcome, Timer> timers = new EnumMap<>(Outcome.class);
    for (Outcome outcome : Outcome.values()) {
      timers.put(
          outcome,
          Timer.builder(meter.meterName())
              .description(meter.description())
              .tags(
                  nodeTags.and("route", route, "outcome", outcome.name().toLowerCase(Locale.ROOT)))
              .register(registry));
    }
    return timers;
  }

  void close() {
    closed = true;
    requested.values().forEach(timers -> timers.values().forEach(registry::remove));
    answered.values().forEach(timers -> timers.values().forEach(registry::remove));
  }
}
