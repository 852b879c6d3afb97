package io.railflux.fabric.verbs;

import io.railflux.fabric.FabricListener;
import io.railflux.fabric.verbs.connect.Deadlines;
import io.railflux.fabric.verbs.connect.Greeting;
import io.railflux.fabric.verbs.connect.RemoteEnd;
import io.railflux.fabric.verbs.connect.VerbsConnections;
import io.railflux.fabric.verbs.internal.rdmacm.LibRdmacm;
import io.railflux.fabric.verbs.internal.rdmacm.RdmaCmEvent;
import io.railflux.fabric.verbs.internal.rdmacm.RdmaCmId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Accepting side of the handshake (CM4): after REQ receives are posted and REP is sent; RTU completes the connection.
 * A time-out drops silent peers.
 */
final class Acceptance implements VerbsConnections.Handler, Deadlines.Bounded {

  private static final long BOUND_NANOS = 10_000_000_000L;
  private static final int REJECTION_BYTES = 140;

  private final VerbsFabric fabric;
  private final VerbsListening listening;
  private final long id;
  private VerbsEndpoint endpoint;

  private Acceptance(VerbsFabric fabric, VerbsListening listening, long id) {
    this.fabric = fabric;
    this.listening = listening;
    this.id = id;
  }

  /** @param event a connection request, whose connection belongs to this side */
  static void begin(
      VerbsFabric fabric, VerbsListening listening, FabricListener listener, RdmaCmEvent event) {
    Acceptance acceptance = new Acceptance(fabric, listening, event.id());
    fabric.connections().handOver(event.id(), acceptance);
    try {
      acceptance.reply(listener, event);
    } catch (IOException e) {
      acceptance.reject(VerbsFabric.explain(e));
    }
  }

  static void refuse(VerbsFabric fabric, RdmaCmEvent event, String reason) {
    LibRdmacm.reject(event.id(), rejection(reason));
    fabric.connections().destroy(event.id());
  }

  private static byte[] rejection(String reason) {
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    return text.length <= REJECTION_BYTES ? text : Arrays.copyOf(text, REJECTION_BYTES);
  }

  private void reply(FabricListener listener, RdmaCmEvent event) throws IOException {
    Greeting greeting = Greeting.decode(event.privateData());
    endpoint = new VerbsEndpoint(fabric, listener, fabric.deviceOf(id));
    EndpointParts parts = endpoint.parts();
    parts.belongsTo(id, RdmaCmId.port(id));
    endpoint.describe(new RemoteEnd(RdmaCmId.remote(id), greeting.processId()));
    parts.pair().toInit(id);
    parts.receives().postAll();
    parts.readyFor(event, greeting);
    LibRdmacm.accept(id, VerbsDial.parameters(parts));
    listening.began();
    fabric.deadlines().add(this, BOUND_NANOS);
  }

  @Override
  public void onEvent(RdmaCmEvent event) {
    switch (event.type()) {
      case ESTABLISHED -> established();
      case CONNECT_ERROR, UNREACHABLE, REJECTED, DISCONNECTED, DEVICE_REMOVAL -> abandon();
      default -> {
        // No other event concerns a pending connection.
      }
    }
  }

  private void established() {
    over();
    fabric.established(id, endpoint, -1);
  }

  private void abandon() {
    over();
    endpoint.close();
  }

  private void over() {
    listening.ended();
    fabric.deadlines().remove(this);
  }

  private void reject(String reason) {
    LibRdmacm.reject(id, rejection(reason));
    if (endpoint != null) {
      endpoint.close();
    } else {
      fabric.connections().destroy(id);
    }
  }

  @Override
  public void expired() {
    abandon();
  }
}
