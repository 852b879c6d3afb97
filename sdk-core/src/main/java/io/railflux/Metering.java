package io.railflux;

import io.micrometer.core.instrument.MeterRegistry;
import io.railflux.engine.EngineThread;
import io.railflux.metrics.MicrometerObserver;
import io.railflux.metrics.RequestTimes;

/** The only class of this package that needs Micrometer; loaded only with a registry. */
final class Metering {

  private Metering() {}

  static RequestTimes bind(NodeConfig config, EngineThread thread) {
    MeterRegistry registry = (MeterRegistry) config.meterRegistry();
    MicrometerObserver observer = new MicrometerObserver(registry, config.name());
    observer.engine(thread);
    thread.engine().observe(observer);
    return observer.requestTimes();
  }
}
