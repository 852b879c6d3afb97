package io.railflux.fabric.verbs;

import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.verbs.connect.Location;
import io.railflux.fabric.verbs.connect.RailAddress;
import io.railflux.fabric.verbs.connect.VerbsConnections;
import io.railflux.fabric.verbs.internal.NativeFailure;
import io.railflux.fabric.verbs.internal.rdmacm.LibRdmacm;
import io.railflux.fabric.verbs.internal.rdmacm.RdmaCmEvent;
import java.io.IOException;

/** A listening address and port. */
final class VerbsListening implements Fabric.Listening, VerbsConnections.Handler {

  private static final int BACKLOG = 64;

  /** Largest number of pending handshakes; further requests are refused, which bounds memory. */
  private static final int MAX_BEGUN = 64;

  private final VerbsFabric fabric;
  private final FabricListener listener;
  private final long id;
  private final String location;
  private int begun;
  private boolean closed;

  VerbsListening(VerbsFabric fabric, Location wanted, FabricListener listener) throws IOException {
    this.fabric = fabric;
    this.listener = listener;
    id = fabric.connections().create(this);
    try {
      LibRdmacm.bind(id, wanted.toListenAt());
      LibRdmacm.listen(id, BACKLOG);
    } catch (NativeFailure e) {
      fabric.connections().destroy(id);
      throw e;
    }
    int port = LibRdmacm.sourcePort(id);
    location = wanted.isAny()
        ? Location.format(RailAddress.any(), port)
        : Location.format(wanted.toListenAt().getAddress(), port);
  }

  @Override
  public void onEvent(RdmaCmEvent event) {
    if (event.type() != RdmaCmEvent.Type.CONNECT_REQUEST) {
      return;
    }
    if (begun >= MAX_BEGUN) {
      Acceptance.refuse(fabric, event, "too many handshakes are under way");
    } else {
      Acceptance.begin(fabric, this, listener, event);
    }
  }

  void began() {
    begun++;
  }

  void ended() {
    begun--;
  }

  @Override
  public String location() {
    return location;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      fabric.forget(this);
      fabric.connections().destroy(id);
    }
  }
}
