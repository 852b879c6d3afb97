package io.railflux.fabric.disni;

import com.ibm.disni.verbs.RdmaCmId;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.disni.events.ConnectionEvents;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An open listener. Engine thread only. */
final class DisniListening implements Fabric.Listening {

  private static final Logger LOG = LoggerFactory.getLogger(DisniListening.class);
  private static final int BACKLOG = 128;

  private final RdmaCmId id;
  private final ConnectionEvents events;
  private final FabricListener listener;
  private final String location;
  private boolean closed;

  private DisniListening(RdmaCmId id, ConnectionEvents events, FabricListener listener)
      throws IOException {
    this.id = id;
    this.events = events;
    this.listener = listener;
    this.location = DisniLocation.text((InetSocketAddress) id.getSource());
  }

  /** Starts the thread of the events, which belong to the listener even if it fails. */
  static DisniListening open(InetSocketAddress at, ConnectionEvents events, FabricListener listener)
      throws IOException {
    events.use();
    RdmaCmId id = null;
    try {
      id = events.newIdentifier();
      id.bindAddr(at);
      // Read now: later the waiting thread would have to read it, possibly after the close.
      if (id.getVerbs() == null) {
        throw new IOException("no RDMA device has that address");
      }
      id.listen(BACKLOG);
      return new DisniListening(id, events, listener);
    } catch (IOException e) {
      if (id != null) {
        id.destroyId();
      }
      events.release();
      throw new IOException(
          "cannot listen at " + DisniLocation.text(at) + ": " + e.getMessage().strip(), e);
    } finally {
      events.begin();
    }
  }

  static DisniListening find(List<DisniListening> open, RdmaCmId id) {
    for (DisniListening listening : open) {
      if (listening.id == id && !listening.closed) {
        return listening;
      }
    }
    return null;
  }

  FabricListener listener() {
    return listener;
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public String location() {
    return location;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      id.destroyId();
    } catch (IOException e) {
      LOG.warn("{} may still be in use: {}", location, e.getMessage());
    }
    events.release();
  }
}
