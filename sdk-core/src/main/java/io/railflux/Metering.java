package io.railflux;

import io.micrometer.core.instrument.MeterRegistry;
import io.railflux.metrics.MicrometerObserver;

/** The one class of this package that needs Micrometer; loaded only when a registry was given. */
final class Metering {

  private Metering() {}

  static void bind(Node node) {
    MeterRegistry registry = (MeterRegistry) node.settings().options().meterRegistry();
    MicrometerObserver observer = new MicrometerObserver(registry, node.name());
    observer.engine(node.thread());
    node.engine().observe(observer);
  }
}
