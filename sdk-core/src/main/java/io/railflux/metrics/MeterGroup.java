package io.railflux.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The meters of everything that has the same tags: a registry knows only one of each, and two sessions
 * with a peer of one name have the same. They tell the sum. Sources come and go on the engine thread,
 * meters are read on any.
 */
final class MeterGroup<S> {

  /** What {@code value} says of all sources; a count keeps what sources said that have gone. */
  private static final class Sum<S> {

    private final ToDoubleFunction<S> value;
    private final boolean count;
    private final List<S> sources = new ArrayList<>();
    private double gone;

    Sum(ToDoubleFunction<S> value, boolean count) {
      this.value = value;
      this.count = count;
    }

    synchronized void add(S source) {
      sources.add(source);
    }

    synchronized void remove(S source) {
      if (sources.remove(source) && count) {
        gone += value.applyAsDouble(source);
      }
    }

    synchronized boolean isEmpty() {
      return sources.isEmpty();
    }

    synchronized double total() {
      double total = gone;
      for (S source : sources) {
        total += value.applyAsDouble(source);
      }
      return total;
    }
  }

  private final MeterRegistry registry;
  private final Tags tags;
  private final List<Meter> meters = new ArrayList<>();
  // A registry does not keep alive what its meters read.
  private final List<Sum<S>> sums = new ArrayList<>();

  MeterGroup(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
  }

  MeterGroup<S> count(RailfluxMeter meter, ToDoubleFunction<S> value) {
    meters.add(FunctionCounter.builder(meter.meterName(), sum(value, true), Sum::total)
        .description(meter.description())
        .baseUnit(meter.unit())
        .tags(tags)
        .register(registry));
    return this;
  }

  MeterGroup<S> gauge(RailfluxMeter meter, ToDoubleFunction<S> value) {
    meters.add(Gauge.builder(meter.meterName(), sum(value, false), Sum::total)
        .description(meter.description())
        .baseUnit(meter.unit())
        .tags(tags)
        .register(registry));
    return this;
  }

  private Sum<S> sum(ToDoubleFunction<S> value, boolean count) {
    Sum<S> sum = new Sum<>(value, count);
    sums.add(sum);
    return sum;
  }

  void add(S source) {
    sums.forEach(sum -> sum.add(source));
  }

  /** Returns whether that was the last: its meters have gone then. */
  boolean remove(S source) {
    sums.forEach(sum -> sum.remove(source));
    boolean last = sums.stream().allMatch(Sum::isEmpty);
    if (last) {
      meters.forEach(registry::remove);
    }
    return last;
  }
}
