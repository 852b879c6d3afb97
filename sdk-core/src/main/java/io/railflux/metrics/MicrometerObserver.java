package io.railflux.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Binds {@link RailfluxMeter}s to a Micrometer registry. Meters read counters the engine keeps anyway,
 * so that binding costs nothing per message; those of a peer or stream leave with it.
 */
public final class MicrometerObserver implements NodeObserver {

  private final MeterRegistry registry;
  private final Tags nodeTags;
  private final IdentityHashMap<Object, List<Meter>> bound = new IdentityHashMap<>();

  /** Meters of the node {@code nodeName} go to {@code registry}. */
  @SuppressWarnings("exports") // As on Railflux.meterRegistry.
  public MicrometerObserver(MeterRegistry registry, String nodeName) {
    this.registry = registry;
    this.nodeTags = Tags.of("node", nodeName);
  }

  /** Binds the engine's meters. */
  public void engine(EngineReadings engine) {
    Binding<EngineReadings> meters = new Binding<>(engine, nodeTags);
    meters.count(RailfluxMeter.ENGINE_CYCLES, EngineReadings::cycles);
    meters.count(RailfluxMeter.ENGINE_BUSY_CYCLES, EngineReadings::busyCycles);
    meters.count(RailfluxMeter.ENGINE_SLEEPS, EngineReadings::sleeps);
  }

  private Tags peerTags(PeerReadings peer) {
    return nodeTags.and("peer", peer.peerName(), "fabric", peer.fabricName());
  }

  @Override
  public void peerOpened(PeerReadings peer) {
    Binding<PeerReadings> meters = new Binding<>(peer, peerTags(peer));
    meters.count(RailfluxMeter.MESSAGES_SENT, PeerReadings::messagesSent);
    meters.count(RailfluxMeter.MESSAGES_RECEIVED, PeerReadings::messagesReceived);
    meters.count(RailfluxMeter.BYTES_SENT, PeerReadings::bytesSent);
    meters.count(RailfluxMeter.BYTES_RECEIVED, PeerReadings::bytesReceived);
    meters.count(RailfluxMeter.EXPIRED, PeerReadings::messagesExpired);
    meters.gauge(RailfluxMeter.CREDIT, p -> p.ringCapacityBytes() - p.ringOccupancyBytes());
    meters.gauge(RailfluxMeter.RING_OCCUPANCY, PeerReadings::ringOccupancyBytes);
    meters.count(RailfluxMeter.STALLS, PeerReadings::creditStalls);
    meters.count(RailfluxMeter.ACKNOWLEDGED, PeerReadings::framesAcknowledged);
    meters.gauge(RailfluxMeter.UNACKNOWLEDGED, PeerReadings::unacknowledgedFrames);
    meters.count(RailfluxMeter.REPLAYED, PeerReadings::framesReplayed);
    meters.count(RailfluxMeter.DUPLICATES, PeerReadings::duplicatesDropped);
    meters.count(RailfluxMeter.ENDPOINTS_LOST, PeerReadings::endpointsLost);
    meters.gauge(RailfluxMeter.REGISTERED_MEMORY, PeerReadings::registeredBytes);
  }

  @Override
  public void peerClosed(PeerReadings peer) {
    unbind(peer);
  }

  @Override
  public void streamOpened(PeerReadings peer, StreamReadings stream) {
    Tags tags = peerTags(peer).and("stream", stream.streamName(), "direction", stream.direction());
    Binding<StreamReadings> meters = new Binding<>(stream, tags);
    meters.count(RailfluxMeter.STREAM_MESSAGES, StreamReadings::messages);
    meters.count(RailfluxMeter.STREAM_BYTES, StreamReadings::bytes);
    meters.count(RailfluxMeter.STREAM_ACKNOWLEDGED, StreamReadings::acknowledged);
    meters.gauge(RailfluxMeter.STREAM_DEMAND, StreamReadings::openDemand);
  }

  @Override
  public void streamClosed(PeerReadings peer, StreamReadings stream) {
    unbind(stream);
  }

  private synchronized void unbind(Object source) {
    List<Meter> meters = bound.remove(source);
    if (meters != null) {
      meters.forEach(registry::remove);
    }
  }

  private synchronized void bind(Object source, Meter meter) {
    bound.computeIfAbsent(source, key -> new ArrayList<>()).add(meter);
  }

  /** The meters of one thing. */
  private final class Binding<S> {

    private final S source;
    private final Tags tags;

    Binding(S source, Tags tags) {
      this.source = source;
      this.tags = tags;
    }

    void count(RailfluxMeter meter, ToDoubleFunction<S> value) {
      bind(
          source,
          FunctionCounter.builder(meter.meterName(), source, value)
              .description(meter.description())
              .baseUnit(meter.unit())
              .tags(tags)
              .register(registry));
    }

    void gauge(RailfluxMeter meter, ToDoubleFunction<S> value) {
      bind(
          source,
          Gauge.builder(meter.meterName(), source, value)
              .description(meter.description())
              .baseUnit(meter.unit())
              .tags(tags)
              .register(registry));
    }
  }
}
