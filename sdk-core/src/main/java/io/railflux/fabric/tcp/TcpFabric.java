package io.railflux.fabric.tcp;

import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.railflux.buffer.DirectMemory;
import io.railflux.fabric.Capabilities;
import io.railflux.fabric.Capabilities.Feature;
import io.railflux.fabric.EndpointState;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.Protection;
import io.railflux.fabric.base.PollRotation;
import io.railflux.fabric.tcp.frames.TcpFrame;
import io.railflux.fabric.tcp.frames.TcpLocalMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Verbs over TCP: one connection per endpoint carries requests as {@linkplain TcpFrame frames}. */
@SuppressWarnings("FutureReturnValueIgnored") // A channel that fails to close needs no report.
final class TcpFabric implements Fabric {

  static final int QUEUE_DEPTH = 512;
  static final int MAX_SEND_BYTES = 64 * 1024;
  private static final int EAGER_LIMIT_BYTES = 256 * 1024;

  /**
   * Time for the first bytes of either side, which may greet hundreds at once, or compete with hundreds for a
   * processor.
   */
  static final long GREETING_MILLIS = 10_000;

  static final Capabilities CAPABILITIES = new Capabilities(
      Capabilities.features(
          Feature.ORDERED_PLACEMENT,
          Feature.SMALL_WRITES_AT_ONCE,
          Feature.WRITE_WITH_IMMEDIATE,
          Feature.READ,
          Feature.ATOMICS,
          Feature.SOLICITED_EVENTS,
          Feature.FENCED_REQUESTS,
          Feature.USER_MEMORY,
          Feature.REGISTERS_AT_NO_COST,
          Feature.EXPOSES_USER_MEMORY,
          Feature.INTERFACE_ADDRESSES),
      MAX_SEND_BYTES,
      0,
      QUEUE_DEPTH,
      QUEUE_DEPTH,
      EAGER_LIMIT_BYTES);

  private final TcpCore core;
  private final List<TcpListening> listenings = new ArrayList<>();
  private final ChannelGroup channels;

  private final PollRotation<TcpEndpoint> endpoints = new PollRotation<>(new TcpEndpoint[0]);
  private int attempts;
  private boolean closed;

  TcpFabric(TcpCore core) {
    this.core = core;
    this.channels = new DefaultChannelGroup(core.loop());
  }

  TcpCore core() {
    return core;
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public String name() {
    return TcpFabricProvider.NAME;
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public LocalMemory register(ByteBuffer memory) {
    return new TcpLocalMemory(memory);
  }

  @Override
  public Protection protectionAt(String location) {
    try {
      Protection place = TcpLocation.parse(location).protection();
      TlsContexts tls = core.tls();
      return place.isLocal() || tls == null ? place : tls.protectionOfAccepted();
    } catch (IOException e) {
      // Without a listener the error of the location is more useful than the demand for a secret.
      return Protection.LOOPBACK;
    }
  }

  @Override
  public Listening listen(String location, FabricListener listener) throws IOException {
    if (closed) {
      throw new IOException("the TCP fabric is closed");
    }
    core.reserveBuffers(endpoints.size());
    TcpListening listening = TcpListening.open(this, listener, TcpLocation.parse(location));
    listenings.add(listening);
    return listening;
  }

  @Override
  public void connect(String location, long attempt, FabricListener listener) {
    if (!closed) {
      attempts++;
      core.reserveBuffers(endpoints.size() + 1);
      TcpConnecting connecting =
          new TcpConnecting(this, TcpLocation::lookUp, listener, location, attempt);
      if (core.outgoing().hasOne(true) && core.incoming().hasOne(true)) {
        connecting.begin();
      } else {
        connecting.failed(
            "it has no memory: " + DirectMemory.OF_JVM.usage() + "; raise -XX:MaxDirectMemorySize");
      }
    }
  }

  /** An attempt ended. */
  void attempted() {
    attempts--;
  }

  void forget(TcpListening listening) {
    listenings.remove(listening);
  }

  /** Closes the channel with the fabric at the latest. */
  void track(Channel channel) {
    channels.add(channel);
  }

  /** Creates the endpoint of a greeted connection. */
  TcpEndpoint add(TcpConnection connection, FabricListener listener, long attempt) {
    TcpEndpoint endpoint = new TcpEndpoint(core, connection, listener);
    track(connection.channel());
    core.later(() -> {
      if (endpoint.state() == EndpointState.READY) {
        publish(endpoint);
        listener.onConnected(endpoint, attempt);
      } else if (attempt >= 0) {
        listener.onConnectFailed(attempt, endpoint.failure());
      } else {
        listener.onStranger(
            endpoint.remoteHost(), endpoint.remoteDescription(), endpoint.failure());
      }
    });
    return endpoint;
  }

  private void publish(TcpEndpoint endpoint) {
    endpoints.add(endpoint);
    core.reserveBuffers(endpoints.size());
  }

  @Override
  public int poll(int limit) {
    if (closed) {
      return 0;
    }
    boolean inUse = attempts > 0 || !channels.isEmpty() || !listenings.isEmpty();
    // The sleep includes a selection.
    boolean atSleep = core.isArmed() || core.context().justSlept();
    if (inUse && !atSleep && !readAtOnce()) {
      core.context().pollIo();
    }
    int delivered = reportEvents(limit);
    endpoints.begin();
    TcpEndpoint endpoint = next(limit - delivered);
    while (endpoint != null) {
      delivered += poll(endpoint, limit - delivered);
      endpoint = next(limit - delivered);
    }
    return delivered;
  }

  /** With several connections the selector is cheaper. */
  private boolean readAtOnce() {
    TcpEndpoint[] all = endpoints.all();
    return all.length == 1 && all[0].readAtOnce(core.context().nowNanos());
  }

  private int reportEvents(int limit) {
    int delivered = 0;
    while (delivered < limit && !closed) {
      Runnable event = core.nextEvent();
      if (event == null) {
        break;
      }
      delivered++;
      event.run();
    }
    return delivered;
  }

  /** Even without room each endpoint sends; only a callback that closes the fabric ends the poll early. */
  private TcpEndpoint next(int room) {
    return closed ? null : endpoints.next(room);
  }

  private int poll(TcpEndpoint endpoint, int limit) {
    int delivered;
    try {
      delivered = endpoint.poll(limit);
    } catch (Throwable e) {
      delivered = endpoints.closeFaulty(endpoint, e);
    }
    if (endpoint.state() == EndpointState.CLOSED) {
      endpoints.remove(endpoint);
    }
    return delivered;
  }

  @Override
  public void arm() {
    if (closed) {
      return;
    }
    // Acknowledgements must not wait for the end of the sleep.
    for (TcpEndpoint endpoint : endpoints.all()) {
      endpoint.notifyPeer();
    }
    core.arm(true);
  }

  @Override
  public void disarm() {
    core.arm(false);
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    core.arm(false);
    new ArrayList<>(listenings).forEach(TcpListening::close);
    for (TcpEndpoint endpoint : endpoints.all()) {
      endpoint.close();
    }
    endpoints.clear();
    core.context().pollIo();
    channels.close();
    core.context().pollIo();
    core.close();
  }
}
