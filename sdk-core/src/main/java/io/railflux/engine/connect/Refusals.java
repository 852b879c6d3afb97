package io.railflux.engine.connect;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.Security;
import io.railflux.engine.path.Subchannel;
import io.railflux.fabric.Endpoint;
import io.railflux.wire.handshake.HelloReject;
import io.railflux.wire.handshake.Versions;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts and logs refusals. Every refusal is counted. A host is logged once each for handshakes, frames, sessions, and
 * connections to an unauthenticated peer. A host may be logged again after one hour. The number of logged hosts per
 * hour and reason is bounded, however many addresses an attacker has. Engine thread only; counts are read from other
 * threads.
 */
public final class Refusals {

  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

  static final int MAX_NAMED = 256;
  static final long NAMED_AGAIN_NANOS = TimeUnit.HOURS.toNanos(1);

  /** A peer that is refused for lack of memory retries at once, as do others. */
  static final long EXHAUSTED_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final String nodeName;
  private final Security security;
  private final LongSupplier nowNanos;
  private final Hosts ofHandshakes = new Hosts();
  private final Hosts ofUnknownSessions = new Hosts();
  private final Hosts ofFrames = new Hosts();
  private final Hosts ofSessions = new Hosts();
  private final Hosts ofCorruption = new Hosts();
  private final Hosts connectedTo = new Hosts();
  private boolean exhaustedReported;
  private long exhaustedReportedNanos;
  private long handshakes;
  private long frames;
  private long sessions;
  private long corruptedFrames;

  Refusals(EngineConfig config, LongSupplier nowNanos) {
    this.nodeName = config.nodeName();
    this.security = config.security();
    this.nowNanos = nowNanos;
  }

  void handshake(Endpoint endpoint, String reason) {
    handshake(endpoint.remoteHost(), endpoint.remoteDescription(), reason);
  }

  void handshake(String host, String description, String reason) {
    handshakes++;
    if (ofHandshakes.isNew(host)) {
      LOG.warn(
          "node '{}' ended a handshake with {}: {}; later ones of this host are counted and not logged",
          nodeName,
          description,
          reason);
    }
  }

  /**
   * Reports an admitted peer that tries to resume a session which this node does not know, usually because this node
   * restarted. The peer then begins a new session, so that the line is no warning and hides none of the same host.
   */
  void unknownSession(Endpoint endpoint, String reason) {
    handshakes++;
    if (ofUnknownSessions.isNew(endpoint.remoteHost())) {
      LOG.info(
          "node '{}' did not resume a session with {}: {}; later ones of this host are not logged",
          nodeName,
          endpoint.remoteDescription(),
          reason);
    }
  }

  /**
   * Reports that this node lacks the resources for a connection.
   *
   * @param reason names the resource and the remedy
   */
  void exhausted(Endpoint endpoint, String reason) {
    exhausted(endpoint.remoteDescription(), reason);
  }

  /** Reports lack of resources as {@link #exhausted(Endpoint, String)} does, for a connection without an endpoint. */
  void exhausted(String description, String reason) {
    handshakes++;
    long now = nowNanos.getAsLong();
    if (!exhaustedReported || now - exhaustedReportedNanos >= EXHAUSTED_AGAIN_NANOS) {
      exhaustedReported = true;
      exhaustedReportedNanos = now;
      LOG.warn("node '{}' refused {}: {}; logged once a minute", nodeName, description, reason);
    }
  }

  /** Reports a frame in a ring that the peer did not seal. */
  public void forged(Subchannel subchannel) {
    frames++;
    if (ofFrames.isNew(subchannel.endpoint.remoteHost())) {
      LOG.warn(
          "node '{}' gave up {}: it received a frame that the peer did not seal, so the network"
              + " changed the frame or an attacker forged it; later ones of this host are counted and not"
              + " logged",
          nodeName,
          subchannel);
    }
  }

  /**
   * Reports data that was corrupted in transit.
   *
   * @param what the consequence: the loss of a rail of a peer, or of a handshake
   */
  void corrupted(Endpoint endpoint, String what) {
    corruptedFrames++;
    if (ofCorruption.isNew(endpoint.remoteHost())) {
      LOG.warn(
          "node '{}' gave up {}: it received a frame with a wrong checksum; check the network cards,"
              + " cables, switches and proxies between both hosts; later ones of this host are counted"
              + " and not logged",
          nodeName,
          what);
    }
  }

  /** Reports an established connection, which may be unauthenticated without explicit permission. */
  void connected(Endpoint endpoint) {
    String concern = security.concern(endpoint.protection());
    if (concern != null && connectedTo.isNew(endpoint.remoteHost())) {
      LOG.warn(
          "node '{}' connected to {} without a secret: {}",
          nodeName,
          endpoint.remoteDescription(),
          concern);
    }
  }

  /**
   * Reports a protocol violation of an admitted peer.
   *
   * @param what names the violation
   */
  public void violated(String host, String what) {
    sessions++;
    if (ofSessions.isNew(host)) {
      LOG.warn(
          "node '{}' ended a session, as {}; later ones of this host are counted and not logged",
          nodeName,
          what);
    }
  }

  /** Returns the number of hosts logged within the last hour. */
  public int named() {
    return ofHandshakes.named.size()
        + ofUnknownSessions.named.size()
        + ofFrames.named.size()
        + ofSessions.named.size()
        + ofCorruption.named.size()
        + connectedTo.named.size();
  }

  public long handshakes() {
    return handshakes;
  }

  public long frames() {
    return frames;
  }

  public long corruptedFrames() {
    return corruptedFrames;
  }

  public long sessions() {
    return sessions;
  }

  /** Hosts logged for one reason. Unauthenticated hosts must not exhaust the room of other reasons. */
  private final class Hosts {

    private final Set<String> named = new HashSet<>();
    private long since;

    boolean isNew(String host) {
      long now = nowNanos.getAsLong();
      if (named.isEmpty() || now - since >= NAMED_AGAIN_NANOS) {
        named.clear();
        since = now;
      }
      return named.size() < MAX_NAMED && named.add(host);
    }
  }

  /** Ends a handshake for a reason that the peer may learn. */
  static final class Refused extends Exception {

    private static final long serialVersionUID = 1;

    private final int reason;

    /** @param reason one of {@link HelloReject} */
    Refused(int reason, String text) {
      super(text, null, false, false);
      this.reason = reason;
    }

    HelloReject reject() {
      return new HelloReject(Versions.SUPPORTED, reason, getMessage());
    }
  }
}
