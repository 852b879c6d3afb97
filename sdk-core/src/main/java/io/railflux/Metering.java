package io.railflux;

import io.micrometer.core.instrument.MeterRegistry;
import io.railflux.metrics.MicrometerObserver;
import io.railflux.metrics.RequestTimes;

/** The only class of this package that needs Micrometer; loaded only with a registry. */
final class Metering {

  private Metering() {}

  static RequestTimes bind(Node node) {
    MeterRegistry registry = (MeterRegistry) node.settings().options().meterRegistry();
    MicrometerObserver observer = new MicrometerObserver(registry, node.name());
    observer.engine(node.thread());
    node.engine().observe(observer);
    return observer.requestTimes();
  }
}
