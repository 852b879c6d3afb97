package io.railflux.fabric.verbs.connect;

import io.railflux.fabric.verbs.device.Device;
import io.railflux.fabric.verbs.device.Sleeper;
import io.railflux.fabric.verbs.internal.Errno;
import io.railflux.fabric.verbs.internal.NativeFailure;
import io.railflux.fabric.verbs.internal.NativeScope;
import io.railflux.fabric.verbs.internal.rdmacm.LibRdmacm;
import io.railflux.fabric.verbs.internal.rdmacm.RdmaCmEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Channel of the fabric to the connection manager, and the receivers of its events. */
public final class VerbsConnections implements AutoCloseable {

  private final NativeScope scope = new NativeScope("connections");
  private final long channel;
  private final Sleeper.Source events;
  private final Map<Long, Handler> handlers = new HashMap<>();
  private final List<Retired> retired = new ArrayList<>();

  /** An ended connection and its port. */
  private record Retired(long id, Device device, int port) {}

  /** Receives the events of a connection. */
  public interface Handler {
    void onEvent(RdmaCmEvent event);
  }

  public VerbsConnections(Sleeper sleeper) throws NativeFailure {
    try {
      channel = LibRdmacm.createEventChannel();
      scope.adopt(channel, () -> LibRdmacm.destroyEventChannel(channel));
      events = sleeper.watch(LibRdmacm.eventChannelFd(channel));
    } catch (NativeFailure e) {
      scope.close();
      throw e;
    }
  }

  public long create(Handler handler) throws NativeFailure {
    long id = LibRdmacm.createId(channel);
    handlers.put(id, handler);
    return id;
  }

  /** Sets the receiver of the events of {@code id}. */
  public void handOver(long id, Handler handler) {
    handlers.put(id, handler);
  }

  public void destroy(long id) {
    handlers.remove(id);
    LibRdmacm.destroyId(id);
  }

  /**
   * Ends a connection when its port is up again. Ending sends a message to the peer, and the management queue pair of
   * soft-RoCE does not survive a send through a port that is down: the device could never connect again.
   */
  public void destroyLater(long id, Device device, int port) {
    handlers.remove(id);
    retired.add(new Retired(id, device, port));
  }

  /** A port is up again. */
  public void destroyRetired() {
    List<Retired> due =
        retired.stream().filter(r -> r.device().isActive(r.port())).toList();
    retired.removeAll(due);
    due.forEach(r -> LibRdmacm.destroyId(r.id()));
  }

  /** Processes queued events. */
  public void dispatch() {
    if (!events.take()) {
      return;
    }
    try {
      while (!scope.isClosed()) {
        dispatch(LibRdmacm.nextEvent(channel));
      }
    } catch (NativeFailure e) {
      if (e.errno() != Errno.EAGAIN) {
        throw new IllegalStateException("cannot read events of connections", e);
      }
    }
  }

  private void dispatch(RdmaCmEvent event) {
    boolean request = event.type() == RdmaCmEvent.Type.CONNECT_REQUEST;
    Handler handler = handlers.get(request ? event.listenId() : event.id());
    if (handler != null) {
      handler.onEvent(event);
    } else if (request) {
      // The listener is closed.
      LibRdmacm.destroyId(event.id());
    }
  }

  @Override
  public void close() {
    new ArrayList<>(handlers.keySet()).forEach(this::destroy);
    retired.forEach(r -> LibRdmacm.destroyId(r.id()));
    retired.clear();
    scope.close();
  }
}
