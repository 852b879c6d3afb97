package io.railflux.fabric.disni;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import io.railflux.fabric.EndpointState;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.disni.events.Alarm;
import io.railflux.fabric.disni.events.ConnectionEvents;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pending connections of a fabric, and the receivers of their events. Engine thread only. */
final class DisniConnections {

  /** Time from the first step to the first message of the peer. */
  static final long PATIENCE_NANOS = 8_000_000_000L;

  /** Largest number of accepted peers without a message; further ones are refused. */
  static final int MAX_ACCEPTING = 256;

  private static final Logger LOG = LoggerFactory.getLogger(DisniConnections.class);

  private final RdmaCm cm;
  private final Alarm alarm;
  private final Host host;
  private final Map<RdmaCmId, Connection> byIdentifier = new HashMap<>();
  private final List<Connection> pending = new ArrayList<>();
  private final Queue<Failure> failures = new ArrayDeque<>();
  private final List<DisniListening> listenings = new ArrayList<>();

  /** Channels of closed listeners remain while accepted connections use them. */
  private final List<ConnectionEvents> sources = new ArrayList<>();

  private ConnectionEvents dialing;

  /** Services of the fabric. */
  interface Host {

    long nowNanos();

    /** Creates queue pair and endpoint for an identifier with a known device. */
    DisniEndpoint prepare(RdmaCmId id, FabricListener listener) throws IOException;
  }

  private record Failure(FabricListener listener, long attempt, String reason) {}

  DisniConnections(RdmaCm cm, Alarm alarm, Host host) {
    this.cm = cm;
    this.alarm = alarm;
    this.host = host;
  }

  DisniListening listen(InetSocketAddress at, FabricListener listener) throws IOException {
    prune();
    ConnectionEvents events = ConnectionEvents.ofListening(cm, alarm);
    DisniListening listening = DisniListening.open(at, events, listener);
    listenings.add(listening);
    sources.add(events);
    return listening;
  }

  void connect(String location, long attempt, FabricListener listener) {
    InetSocketAddress target;
    try {
      target = DisniLocation.parse(location);
      if (dialing == null) {
        dialing = ConnectionEvents.ofDialing(cm, alarm);
        dialing.use();
        sources.add(dialing);
      }
    } catch (IOException e) {
      failures.add(new Failure(listener, attempt, e.getMessage().strip()));
      return;
    }
    long deadline = host.nowNanos() + PATIENCE_NANOS;
    Connection connection = Connection.to(target, dialing, listener, attempt, deadline);
    pending.add(connection);
    dial(connection);
    dialing.impatient(true);
  }

  private void dial(Connection connection) {
    RdmaCmId id = dialing.takeIdentifier();
    if (id == null) {
      return;
    }
    byIdentifier.put(id, connection);
    try {
      connection.resolve(id);
    } catch (IOException e) {
      fail(
          connection,
          "cannot resolve " + connection.describe() + ": " + e.getMessage().strip());
    }
  }

  /** Takes events of the library; calls at most {@code limit} listeners. */
  int poll(int limit) {
    takeEvents();
    int delivered = pending.isEmpty() ? 0 : proceedAll(limit);
    while (delivered < limit && !failures.isEmpty()) {
      Failure failure = failures.remove();
      failure.listener().onConnectFailed(failure.attempt(), failure.reason());
      delivered++;
    }
    if (dialing != null) {
      dialing.impatient(!pending.isEmpty());
    }
    return delivered;
  }

  /** The waiting thread disposes of events of a closing source. */
  private void takeEvents() {
    for (int i = 0; i < sources.size(); i++) {
      ConnectionEvents source = sources.get(i);
      while (!source.isEnding()) {
        ConnectionEvents.Event event = source.poll();
        if (event == null) {
          break;
        }
        onEvent(source, event);
      }
    }
  }

  /** Iterates over a copy, because callbacks add connections or close the fabric. */
  private int proceedAll(int limit) {
    int delivered = 0;
    for (Connection connection : new ArrayList<>(pending)) {
      if (delivered < limit && connection.state() != ConnectionState.GONE) {
        delivered += proceed(connection) ? 1 : 0;
      }
    }
    return delivered;
  }

  private void onEvent(ConnectionEvents source, ConnectionEvents.Event event) {
    if (event.type() == EventType.RDMA_CM_EVENT_CONNECT_REQUEST) {
      accept(source, event);
      return;
    }
    Connection connection = byIdentifier.get(event.connection());
    if (connection == null) {
      return;
    }
    try {
      onEvent(connection, event.type());
    } catch (IOException e) {
      fail(connection, e.getMessage().strip());
    }
  }

  private void onEvent(Connection connection, EventType type) throws IOException {
    ConnectionState state = connection.state();
    switch (type) {
      case RDMA_CM_EVENT_ADDR_RESOLVED -> connection.resolveRoute();
      case RDMA_CM_EVENT_ROUTE_RESOLVED ->
        connection.connect(host.prepare(connection.id(), connection.listener()));
      case RDMA_CM_EVENT_ESTABLISHED -> connection.connected();
      case RDMA_CM_EVENT_TIMEWAIT_EXIT, RDMA_CM_EVENT_ADDR_CHANGE -> {}
      default -> {
        if (state != ConnectionState.ESTABLISHED) {
          fail(connection, DisniRefusals.text(type, connection.describe()));
        } else {
          connection.endpoint().peerLeft();
        }
      }
    }
  }

  private void accept(ConnectionEvents source, ConnectionEvents.Event event) {
    DisniListening listening = DisniListening.find(listenings, event.listening());
    Connection connection = Connection.from(
        event.connection(),
        source,
        listening == null ? null : listening.listener(),
        host.nowNanos() + PATIENCE_NANOS);
    if (listening == null || pending.size() >= MAX_ACCEPTING) {
      connection.abandon();
      return;
    }
    pending.add(connection);
    byIdentifier.put(event.connection(), connection);
    try {
      connection.accept(host.prepare(connection.id(), connection.listener()));
    } catch (IOException e) {
      fail(connection, e.getMessage().strip());
    }
  }

  /** Returns whether the listener was called. */
  private boolean proceed(Connection connection) {
    if (connection.isGreeted()) {
      pending.remove(connection);
      connection.established();
      connection.listener().onConnected(connection.endpoint(), connection.attempt());
      return true;
    }
    DisniEndpoint endpoint = connection.endpoint();
    if (endpoint != null && endpoint.state() != EndpointState.READY) {
      fail(connection, "the connection with " + connection.describe() + " failed at once");
    } else if (connection.isOverdue(host.nowNanos())) {
      fail(
          connection,
          "no answer from " + connection.describe() + " in time, " + connection.state());
    } else if (connection.state() == ConnectionState.QUEUED) {
      dial(connection);
    }
    return false;
  }

  private void fail(Connection connection, String reason) {
    pending.remove(connection);
    if (connection.id() != null) {
      byIdentifier.remove(connection.id());
    }
    connection.abandon();
    if (connection.isConnecting()) {
      failures.add(new Failure(connection.listener(), connection.attempt(), reason));
    } else {
      LOG.debug("an incoming connection failed: {}", reason);
    }
  }

  /** An endpoint of a listener was closed. */
  void ended(RdmaCmId id) {
    Connection connection = byIdentifier.remove(id);
    if (connection != null && connection.state() == ConnectionState.ESTABLISHED) {
      connection.ended();
    }
  }

  void prune() {
    listenings.removeIf(DisniListening::isClosed);
    sources.removeIf(ConnectionEvents::isEnding);
  }

  /** The fabric closes endpoints of listeners. */
  void close() {
    new ArrayList<>(pending).forEach(Connection::abandon);
    pending.clear();
    failures.clear();
    listenings.forEach(DisniListening::close);
    if (dialing != null) {
      dialing.release();
    }
  }
}
