package io.railflux.engine;

import io.railflux.fabric.Endpoint;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was turned away: every time is counted, a host is named in the log once for handshakes, once for
 * frames, once for sessions, and once when it was connected to without knowing who it is. It may be named
 * again an hour later; within one only so many are for each of these, however many addresses somebody has.
 * Engine thread only; counts are read from others.
 */
final class Refusals {

  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

  static final int MOST_NAMED = 256;
  static final long NAMED_AGAIN_NANOS = TimeUnit.HOURS.toNanos(1);

  private final String nodeName;
  private final Security security;
  private final LongSupplier nowNanos;
  private final Hosts ofHandshakes = new Hosts();
  private final Hosts ofFrames = new Hosts();
  private final Hosts ofSessions = new Hosts();
  private final Hosts connectedTo = new Hosts();
  private long handshakes;
  private long frames;
  private long sessions;

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
          "node '{}' ended a handshake with {}: {}; what follows from there is only counted",
          nodeName,
          description,
          reason);
    }
  }

  /** Something in a ring was not sealed by the peer. */
  void forged(Subchannel subchannel) {
    frames++;
    if (ofFrames.isNew(subchannel.endpoint.remoteHost())) {
      LOG.warn(
          "node '{}' gave up {}: a frame came that the peer did not seal, so the network changed"
              + " it or somebody forged it; what follows from there is only counted",
          nodeName,
          subchannel);
    }
  }

  /** This side connected: perhaps to where nobody is authenticated, though nobody said that it may. */
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

  /** A peer that was let in broke the protocol; {@code what} names it. */
  void violated(String host, String what) {
    sessions++;
    if (ofSessions.isNew(host)) {
      LOG.warn(
          "node '{}' ended a session, as {}; what follows from there is only counted",
          nodeName,
          what);
    }
  }

  /** How many the log was told of within the last hour. */
  int named() {
    return ofHandshakes.named.size()
        + ofFrames.named.size()
        + ofSessions.named.size()
        + connectedTo.named.size();
  }

  long handshakes() {
    return handshakes;
  }

  long frames() {
    return frames;
  }

  long sessions() {
    return sessions;
  }

  /** Those the log has named for one reason: strangers must not be able to use up the room of others. */
  private final class Hosts {

    private final Set<String> named = new HashSet<>();
    private long since;

    boolean isNew(String host) {
      long now = nowNanos.getAsLong();
      if (named.isEmpty() || now - since >= NAMED_AGAIN_NANOS) {
        named.clear();
        since = now;
      }
      return named.size() < MOST_NAMED && named.add(host);
    }
  }
}
