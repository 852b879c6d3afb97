package io.railflux.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Binds the {@link RailfluxMeter}s to a Micrometer registry. Meters read counters that the engine keeps in any case,
 * so only the timers of requests cost time per message. The meters of a peer or stream are removed with the last
 * source of their tags, all meters with the node.
 */
public final class MicrometerObserver implements NodeObserver {

  private final MeterRegistry registry;
  private final Tags nodeTags;
  private final Groups<PeerReadings> peers = new Groups<>(this::peerMeters);
  private final Groups<StreamReadings> streams = new Groups<>(this::streamMeters);
  private final RequestTimers requests;
  private EngineReadings engine;
  private MeterGroup<EngineReadings> engineMeters;

  /**
   * Creates the observer of a node.
   *
   * @param registry registry of the application
   * @param nodeName value of the tag {@code node}
   */
  @SuppressWarnings("exports") // As on Railflux.meterRegistry.
  public MicrometerObserver(MeterRegistry registry, String nodeName) {
    this.registry = registry;
    this.nodeTags = Tags.of("node", nodeName);
    this.requests = new RequestTimers(registry, nodeTags);
  }

  /**
   * Binds the meters of the engine.
   *
   * @param readings values of the engine
   */
  public void engine(EngineReadings readings) {
    engine = readings;
    engineMeters = new MeterGroup<EngineReadings>(registry, nodeTags)
        .count(RailfluxMeter.ENGINE_CYCLES, EngineReadings::cycles)
        .count(RailfluxMeter.ENGINE_BUSY_CYCLES, EngineReadings::busyCycles)
        .count(RailfluxMeter.ENGINE_SLEEPS, EngineReadings::sleeps)
        .gauge(RailfluxMeter.ENGINE_LACKING, EngineReadings::lacking)
        .count(RailfluxMeter.HANDSHAKES_REFUSED, EngineReadings::handshakesRefused)
        .count(RailfluxMeter.FRAMES_FORGED, EngineReadings::framesForged)
        .count(RailfluxMeter.FRAMES_CORRUPTED, EngineReadings::framesCorrupted)
        .count(RailfluxMeter.SESSIONS_VIOLATED, EngineReadings::sessionsViolated);
    engineMeters.add(readings);
  }

  @Override
  public void nodeClosed() {
    engineMeters.remove(engine);
    requests.close();
  }

  /**
   * Returns the receiver of request times.
   *
   * @return the timers of this node
   */
  public RequestTimes requestTimes() {
    return requests;
  }

  private Tags peerTags(PeerReadings peer) {
    return nodeTags.and("peer", peer.peerName(), "fabric", peer.fabricName());
  }

  private MeterGroup<PeerReadings> peerMeters(Tags tags) {
    return new MeterGroup<PeerReadings>(registry, tags)
        .count(RailfluxMeter.MESSAGES_SENT, PeerReadings::messagesSent)
        .count(RailfluxMeter.MESSAGES_RECEIVED, PeerReadings::messagesReceived)
        .count(RailfluxMeter.BYTES_SENT, PeerReadings::bytesSent)
        .count(RailfluxMeter.BYTES_RECEIVED, PeerReadings::bytesReceived)
        .count(RailfluxMeter.EXPIRED, PeerReadings::messagesExpired)
        .gauge(RailfluxMeter.CREDIT, p -> p.ringCapacityBytes() - p.ringOccupancyBytes())
        .gauge(RailfluxMeter.RING_OCCUPANCY, PeerReadings::ringOccupancyBytes)
        .count(RailfluxMeter.CHANNEL_SWITCHES, PeerReadings::channelSwitches)
        .count(RailfluxMeter.STALLS, PeerReadings::creditStalls)
        .count(RailfluxMeter.ACKNOWLEDGED, PeerReadings::framesAcknowledged)
        .gauge(RailfluxMeter.UNACKNOWLEDGED, PeerReadings::unacknowledgedFrames)
        .count(RailfluxMeter.REPLAYED, PeerReadings::framesReplayed)
        .count(RailfluxMeter.DUPLICATES, PeerReadings::duplicatesDropped)
        .count(RailfluxMeter.ENDPOINTS_LOST, PeerReadings::endpointsLost)
        .gauge(RailfluxMeter.REGISTERED_MEMORY, PeerReadings::registeredBytes);
  }

  @Override
  public void peerOpened(PeerReadings peer) {
    peers.add(peer, peerTags(peer));
  }

  @Override
  public void peerClosed(PeerReadings peer) {
    peers.remove(peer);
  }

  private MeterGroup<StreamReadings> streamMeters(Tags tags) {
    return new MeterGroup<StreamReadings>(registry, tags)
        .count(RailfluxMeter.STREAM_MESSAGES, StreamReadings::messages)
        .count(RailfluxMeter.STREAM_BYTES, StreamReadings::bytes)
        .count(RailfluxMeter.STREAM_ACKNOWLEDGED, StreamReadings::acknowledged)
        .gauge(RailfluxMeter.STREAM_DEMAND, StreamReadings::openDemand);
  }

  @Override
  public void streamOpened(PeerReadings peer, StreamReadings stream) {
    Tags tags = peerTags(peer).and("stream", stream.streamName(), "direction", stream.direction());
    streams.add(stream, tags);
  }

  @Override
  public void streamClosed(PeerReadings peer, StreamReadings stream) {
    streams.remove(stream);
  }

  /** Finds the group of a source, whose tags may change before it leaves. */
  private static final class Groups<S> {

    private final Function<Tags, MeterGroup<S>> meters;
    private final Map<Tags, MeterGroup<S>> byTags = new HashMap<>();
    private final IdentityHashMap<S, Tags> members = new IdentityHashMap<>();

    Groups(Function<Tags, MeterGroup<S>> meters) {
      this.meters = meters;
    }

    void add(S source, Tags tags) {
      members.put(source, tags);
      byTags.computeIfAbsent(tags, meters).add(source);
    }

    void remove(S source) {
      Tags tags = members.remove(source);
      // A stream may end before it was opened.
      if (tags != null && byTags.get(tags).remove(source)) {
        byTags.remove(tags);
      }
    }
  }
}
