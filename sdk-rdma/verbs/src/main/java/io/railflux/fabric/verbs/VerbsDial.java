package io.railflux.fabric.verbs;

import io.railflux.fabric.FabricListener;
import io.railflux.fabric.verbs.connect.Deadlines;
import io.railflux.fabric.verbs.connect.Greeting;
import io.railflux.fabric.verbs.connect.Location;
import io.railflux.fabric.verbs.connect.RemoteEnd;
import io.railflux.fabric.verbs.connect.VerbsConnections;
import io.railflux.fabric.verbs.device.QueuePair;
import io.railflux.fabric.verbs.internal.IbvDeviceAttr;
import io.railflux.fabric.verbs.internal.NativeFailure;
import io.railflux.fabric.verbs.internal.rdmacm.LibRdmacm;
import io.railflux.fabric.verbs.internal.rdmacm.RdmaCmEvent;
import io.railflux.fabric.verbs.internal.rdmacm.RdmaCmId;
import io.railflux.fabric.verbs.internal.rdmacm.RdmaConnParam;
import io.railflux.fabric.verbs.queue.ReceiveQueue;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * Connecting side of the handshake (CM4; adaptive connection management, section 4.2): REQ and, after REP, RTU.
 * Receives are posted before REQ, and so before RTR.
 */
final class VerbsDial implements VerbsConnections.Handler, Deadlines.Bounded {

  /** The connection manager itself would wait for a minute. */
  private static final long BOUND_NANOS = 10_000_000_000L;

  private static final int RESOLVE_MILLIS = 2_000;
  private static final int NO_LISTENER = 8;

  private final VerbsFabric fabric;
  private final String location;
  private final long attempt;
  private final FabricListener listener;
  private State state = State.LOOKING_UP;
  private InetSocketAddress source;
  private VerbsEndpoint endpoint;
  private long id;

  /**
   * State of a connection attempt. Permitted transitions:
   *
   * <pre>
   *   LOOKING_UP         --name known-->        RESOLVING_ADDRESS
   *   RESOLVING_ADDRESS  --device known-->      RESOLVING_ROUTE
   *   RESOLVING_ROUTE    --receives posted, REQ sent-->  REQUESTING
   *   REQUESTING         --REP received, RTU sent-->     ESTABLISHED
   *   any but the last two  --error, rejection, time-->  FAILED
   * </pre>
   */
  enum State {
    LOOKING_UP,
    RESOLVING_ADDRESS,
    RESOLVING_ROUTE,
    REQUESTING,
    ESTABLISHED,
    FAILED;

    boolean canBecome(State next) {
      return switch (this) {
        case LOOKING_UP -> next == RESOLVING_ADDRESS || next == FAILED;
        case RESOLVING_ADDRESS -> next == RESOLVING_ROUTE || next == FAILED;
        case RESOLVING_ROUTE -> next == REQUESTING || next == FAILED;
        case REQUESTING -> next == ESTABLISHED || next == FAILED;
        case ESTABLISHED, FAILED -> false;
      };
    }

    boolean isOver() {
      return this == ESTABLISHED || this == FAILED;
    }
  }

  VerbsDial(VerbsFabric fabric, String location, long attempt, FabricListener listener) {
    this.fabric = fabric;
    this.location = location;
    this.attempt = attempt;
    this.listener = listener;
  }

  void begin() {
    fabric.deadlines().add(this, BOUND_NANOS);
    try {
      Location parsed = Location.parse(location);
      source = parsed.sourceAddress();
      if (parsed.isName()) {
        Thread.ofVirtual().name("railflux-verbs-lookup").start(() -> lookUp(parsed));
      } else {
        resolve(parsed.lookUp());
      }
    } catch (IOException e) {
      fail(VerbsFabric.explain(e));
    }
  }

  /** Uses a separate thread, because resolving may take seconds. */
  private void lookUp(Location parsed) {
    try {
      InetSocketAddress found = parsed.lookUp();
      fabric.execute(() -> resolve(found));
    } catch (IOException e) {
      fabric.execute(() -> fail("unknown host " + e.getMessage()));
    }
  }

  private void resolve(InetSocketAddress destination) {
    if (state.isOver()) {
      return;
    }
    try {
      id = fabric.connections().create(this);
      LibRdmacm.resolveAddress(id, source, destination, RESOLVE_MILLIS);
      become(State.RESOLVING_ADDRESS);
    } catch (NativeFailure e) {
      fail(VerbsFabric.explain(e));
    }
  }

  @Override
  public void onEvent(RdmaCmEvent event) {
    try {
      switch (event.type()) {
        case ADDR_RESOLVED -> addressResolved();
        case ROUTE_RESOLVED -> request();
        case CONNECT_RESPONSE -> answered(event);
        case REJECTED -> fail(rejection(event));
        case ADDR_ERROR, ROUTE_ERROR, CONNECT_ERROR, UNREACHABLE ->
          fail("no route to the address: " + event.type() + ", status " + event.status());
        case DISCONNECTED, DEVICE_REMOVAL -> fail("the connection ended: " + event.type());
        default -> {
          // No other event concerns a pending connection.
        }
      }
    } catch (IOException e) {
      fail(VerbsFabric.explain(e));
    }
  }

  private void addressResolved() throws NativeFailure {
    endpoint = new VerbsEndpoint(fabric, listener, fabric.deviceOf(id));
    endpoint.parts().belongsTo(id, RdmaCmId.port(id));
    LibRdmacm.resolveRoute(id, RESOLVE_MILLIS);
    become(State.RESOLVING_ROUTE);
  }

  private void request() throws NativeFailure {
    EndpointParts parts = endpoint.parts();
    parts.pair().toInit(id);
    parts.receives().postAll();
    LibRdmacm.connect(id, parameters(parts));
    become(State.REQUESTING);
  }

  static RdmaConnParam parameters(EndpointParts parts) {
    IbvDeviceAttr device = parts.device().attributes();
    return new RdmaConnParam(
        Greeting.own(ReceiveQueue.FRAGMENT_BYTES).encode(),
        VerbsFabric.reads(device.maxQpRdAtom()),
        VerbsFabric.reads(device.maxQpInitRdAtom()),
        QueuePair.RETRIES,
        QueuePair.FOR_EVER,
        parts.pair().structure().number());
  }

  private void answered(RdmaCmEvent event) throws IOException {
    Greeting greeting = Greeting.decode(event.privateData());
    EndpointParts parts = endpoint.parts();
    parts.readyFor(event, greeting);
    LibRdmacm.establish(id);
    become(State.ESTABLISHED);
    endpoint.describe(new RemoteEnd(RdmaCmId.remote(id), greeting.processId()));
    fabric.deadlines().remove(this);
    fabric.established(id, endpoint, attempt);
  }

  private static String rejection(RdmaCmEvent event) {
    if (event.status() == RdmaCmEvent.REJECTED_BY_CONSUMER) {
      String text = StandardCharsets.UTF_8.decode(event.privateData()).toString();
      return "refused: " + text.replaceAll("[\\x00-\\x1F\\x7F-\\x9F]", " ").strip();
    }
    return event.status() == NO_LISTENER
        ? FabricListener.NOTHING_LISTENS + "this address"
        : "refused by the connection manager of the peer, reason " + event.status();
  }

  private void fail(String reason) {
    if (state.isOver()) {
      return;
    }
    become(State.FAILED);
    fabric.deadlines().remove(this);
    release();
    fabric.deliverLater(new VerbsDelivery() {
      private boolean delivered;

      @Override
      public int deliver() {
        if (delivered) {
          return 0;
        }
        delivered = true;
        listener.onConnectFailed(attempt, reason);
        return 1;
      }
    });
  }

  private void release() {
    if (endpoint != null) {
      // Also destroys the connection.
      endpoint.close();
    } else if (id != 0) {
      fabric.connections().destroy(id);
    }
  }

  @Override
  public void expired() {
    fail("no answer within " + BOUND_NANOS / 1_000_000_000 + " s");
  }

  private void become(State next) {
    if (!state.canBecome(next)) {
      throw new IllegalStateException("dial: " + state + " cannot become " + next);
    }
    state = next;
  }
}
