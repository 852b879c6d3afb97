package io.railflux.fabric.disni;

import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import io.railflux.fabric.EndpointState;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.disni.events.ConnectionEvents;
import java.io.IOException;
import java.net.InetSocketAddress;

/** One connect, or one accepted peer, until its endpoint exists or fails. */
final class Connection {

  /** Time-outs of the connection manager for address and route, in milliseconds each. */
  private static final int RESOLVE_MILLIS = 2_000;

  /**
   * Seven means unlimited on some cards. A receive is always posted, so the RNR count does not matter; unlimited is
   * safe.
   */
  private static final byte RETRIES = 6;

  private static final byte RECEIVER_RETRIES = 7;

  private final ConnectionEvents events;
  private final FabricListener listener;
  private final long attempt;
  private final long deadlineNanos;
  private final InetSocketAddress target;
  private ConnectionState state;
  private RdmaCmId id;
  private DisniEndpoint endpoint;

  private Connection(
      ConnectionEvents events,
      FabricListener listener,
      long attempt,
      long deadlineNanos,
      InetSocketAddress target) {
    this.events = events;
    this.listener = listener;
    this.attempt = attempt;
    this.deadlineNanos = deadlineNanos;
    this.target = target;
    this.state = target == null ? ConnectionState.ACCEPTING : ConnectionState.QUEUED;
    events.use();
  }

  static Connection to(
      InetSocketAddress target,
      ConnectionEvents events,
      FabricListener listener,
      long attempt,
      long deadlineNanos) {
    return new Connection(events, listener, attempt, deadlineNanos, target);
  }

  /** The identifier belongs to the library's reply to a peer. */
  static Connection from(
      RdmaCmId id, ConnectionEvents events, FabricListener listener, long deadlineNanos) {
    Connection connection = new Connection(events, listener, -1, deadlineNanos, null);
    connection.id = id;
    return connection;
  }

  ConnectionState state() {
    return state;
  }

  RdmaCmId id() {
    return id;
  }

  FabricListener listener() {
    return listener;
  }

  long attempt() {
    return attempt;
  }

  boolean isConnecting() {
    return target != null;
  }

  DisniEndpoint endpoint() {
    return endpoint;
  }

  boolean isOverdue(long nowNanos) {
    return nowNanos - deadlineNanos >= 0;
  }

  String describe() {
    return target == null ? "a peer" : DisniLocation.text(target);
  }

  void resolve(RdmaCmId identifier) throws IOException {
    id = identifier;
    become(ConnectionState.RESOLVING_ADDRESS);
    id.resolveAddr(null, target, RESOLVE_MILLIS);
  }

  void resolveRoute() throws IOException {
    become(ConnectionState.RESOLVING_ROUTE);
    id.resolveRoute(RESOLVE_MILLIS);
  }

  void connect(DisniEndpoint prepared) throws IOException {
    endpoint = prepared;
    become(ConnectionState.CONNECTING);
    id.connect(parameters());
  }

  void accept(DisniEndpoint prepared) throws IOException {
    endpoint = prepared;
    id.accept(parameters());
  }

  private static RdmaConnParam parameters() throws IOException {
    RdmaConnParam parameters = new RdmaConnParam();
    parameters.setRetry_count(RETRIES);
    parameters.setRnr_retry_count(RECEIVER_RETRIES);
    return parameters;
  }

  /** Both ends exist; the connecting side sends first. */
  void connected() {
    become(ConnectionState.GREETING);
    if (isConnecting()) {
      endpoint.greet();
    }
  }

  /** Whether both sides have sent their first message. */
  boolean isGreeted() {
    return state == ConnectionState.GREETING
        && endpoint.isGreeted()
        && endpoint.state() == EndpointState.READY;
  }

  void established() {
    if (!isConnecting()) {
      endpoint.greet();
    }
    become(ConnectionState.ESTABLISHED);
    endpoint.announce();
  }

  /** Releases all resources; the caller reports the failure. */
  void abandon() {
    become(ConnectionState.GONE);
    if (endpoint != null) {
      endpoint.close();
    } else if (id != null) {
      try {
        id.destroyId();
      } catch (IOException e) {
        // It was no longer connected.
      }
    }
    events.release();
  }

  /** The endpoint was closed. */
  void ended() {
    events.release();
  }

  private void become(ConnectionState next) {
    if (!state.canBecome(next)) {
      throw new IllegalStateException("connection: " + state + " cannot become " + next);
    }
    state = next;
  }
}
