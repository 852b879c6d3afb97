package io.railflux.engine;

import io.railflux.fabric.Endpoint;
import java.util.LinkedHashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was turned away: every time is counted, a host is named in the log once for handshakes and once for
 * frames. Engine thread only; counts are read from others.
 */
final class Refusals {

  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

  /** More are forgotten, the oldest first, and may be named again. */
  private static final int REMEMBERED = 256;

  private final String nodeName;
  private final Set<String> named = new LinkedHashSet<>();
  private long handshakes;
  private long frames;

  Refusals(String nodeName) {
    this.nodeName = nodeName;
  }

  void handshake(Endpoint endpoint, String reason) {
    handshakes++;
    if (isNew("h " + endpoint.remoteHost())) {
      LOG.warn(
          "node '{}' ended a handshake with {}: {}; what follows from there is only counted",
          nodeName,
          endpoint.remoteDescription(),
          reason);
    }
  }

  /** Something in a ring was not sealed by the peer. */
  void forged(Subchannel subchannel) {
    frames++;
    if (isNew("f " + subchannel.endpoint.remoteHost())) {
      LOG.warn(
          "node '{}' gave up {}: a frame came that the peer did not seal, so the network changed"
              + " it or somebody forged it; what follows from there is only counted",
          nodeName,
          subchannel);
    }
  }

  private boolean isNew(String name) {
    if (!named.add(name)) {
      return false;
    }
    if (named.size() > REMEMBERED) {
      named.remove(named.iterator().next());
    }
    return true;
  }

  /** How many the log was told of and are remembered. */
  int named() {
    return named.size();
  }

  long handshakes() {
    return handshakes;
  }

  long frames() {
    return frames;
  }
}
