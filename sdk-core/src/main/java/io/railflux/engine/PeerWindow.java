package io.railflux.engine;

import io.railflux.fabric.Endpoint;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.RemoteRegion;
import io.railflux.wire.Region;
import java.nio.ByteBuffer;

/**
 * The {@link SourceWindow} of the peer as it is mapped here: large messages are looked at in place. One at
 * a time, whatever the peer names: a mapping costs address space. Engine thread only.
 */
final class PeerWindow {

  private final Endpoint endpoint;
  private RemoteRegion region;
  private int views;

  PeerWindow(Endpoint endpoint) {
    this.endpoint = endpoint;
  }

  /**
   * The window's memory, to be {@link #leave left}.
   *
   * @return null when it cannot be looked at: there is no such region, or another one is in use
   */
  ByteBuffer look(Region wanted) {
    if (region == null || region.key() != wanted.key() || region.lengthBytes() != wanted.bytes()) {
      if (views > 0) {
        return null;
      }
      attach(wanted);
    }
    if (region == null) {
      return null;
    }
    views++;
    return region.mapped();
  }

  private void attach(Region wanted) {
    if (region != null) {
      region.close();
      region = null;
    }
    try {
      region = endpoint.attach(wanted.key(), wanted.bytes());
    } catch (RemoteAccessException e) {
      // It has to be written instead.
    }
  }

  void leave() {
    views--;
  }

  /** Whether a message is still looked at. */
  boolean isInUse() {
    return views > 0;
  }
}
