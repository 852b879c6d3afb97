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
 * The meters of all sources with the same tags, such as two sessions with peers of one name. A registry has one meter
 * per set of tags, which reports the sum. Sources join and leave on the engine thread; any thread reads the meters.
 */
final class MeterGroup<S> {

  /** Sum of {@code value} over all sources. A counter keeps the counts of removed sources. */
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
  // A registry does not keep the sources of its meters alive.
  private final List<Sum<S>> sums = new ArrayList<>();

  MeterGroup(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
  }

  MeterGroup<S> count(RailfluxMeter meter, ToDoubleFunction<S> value) {
    meters.add(FunctionCounter.builder(meter.meterName(), sum(value, true), Sum::total)
        .description(meter.description())
        .baseUnit(meter.baseUnit())
        .tags(tags)
        .register(registry));
    return this;
  }

  MeterGroup<S> gauge(RailfluxMeter meter, ToDoubleFunction<S> value) {
    meters.add(Gauge.builder(meter.meterName(), sum(value, false), Sum::total)
        .description(meter.description())
        .baseUnit(meter.baseUnit())
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

  /** Returns whether that was the last source. Its meters are then removed. */
  boolean remove(S source) {
    sums.forEach(sum -> sum.remove(source));
    boolean last = sums.stream().allMatch(Sum::isEmpty);
    if (last) {
      meters.forEach(registry::remove);
    }
    return last;
  }
}
