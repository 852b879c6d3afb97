package io.railflux.fabric.shm;

import io.railflux.fabric.Capabilities;
import io.railflux.fabric.Capabilities.Feature;
import io.railflux.fabric.EndpointState;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.Protection;
import io.railflux.fabric.base.PollRotation;
import io.railflux.fabric.shm.memory.MailboxLayout;
import io.railflux.fabric.shm.memory.OrderedCopy;
import io.railflux.fabric.shm.memory.UserMemory;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shared memory between processes of one user on one host. */
final class ShmFabric implements Fabric {

  /** Above this size the room in the ring is worth more than the cost of a rendezvous. */
  private static final int EAGER_LIMIT_BYTES = 256 << 10;

  static final Capabilities CAPABILITIES = new Capabilities(
      Capabilities.features(
          Feature.MAPPED,
          Feature.ORDERED_PLACEMENT,
          Feature.PEER_DEATH_REPORTED,
          Feature.WRITE_WITH_IMMEDIATE,
          Feature.READ,
          Feature.ATOMICS,
          Feature.SOLICITED_EVENTS,
          Feature.FENCED_REQUESTS,
          Feature.USER_MEMORY,
          Feature.REGISTERS_AT_NO_COST),
      MailboxLayout.MAX_PAYLOAD_BYTES,
      OrderedCopy.LONG_RANGE_BYTES,
      ShmEndpoint.QUEUE_DEPTH,
      ShmEndpoint.QUEUE_DEPTH,
      EAGER_LIMIT_BYTES);

  private static final Logger LOG = LoggerFactory.getLogger(ShmFabric.class);

  /** A hundredth of the 100 ms within which the death of a peer is reported. */
  private static final long WATCH_NANOS = 1_000_000L;

  private final ShmCore core;
  private final ShmHandshakes handshakes;
  private final List<ShmListening> listenings = new ArrayList<>();

  private final PollRotation<ShmEndpoint> endpoints = new PollRotation<>(new ShmEndpoint[0]);
  private long watchedNanos;
  private boolean closed;

  ShmFabric(ShmCore core) {
    this.core = core;
    this.handshakes = new ShmHandshakes(core, this::add);
    this.watchedNanos = core.context().nowNanos();
  }

  @Override
  public String name() {
    return ShmFabricProvider.NAME;
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public LocalMemory register(ByteBuffer memory) {
    return new UserMemory(memory);
  }

  @Override
  public Listening listen(String location, FabricListener listener) throws IOException {
    if (closed) {
      throw new IOException("the shared-memory fabric is closed");
    }
    ShmListening listening = ShmListening.open(core, handshakes, listener, location);
    listenings.add(listening);
    return listening;
  }

  @Override
  public Protection protectionAt(String location) {
    return Protection.SAME_HOST;
  }

  @Override
  public void connect(String location, long attempt, FabricListener listener) {
    if (!closed) {
      handshakes.connect(location, attempt, listener);
    }
  }

  @Override
  public int poll(int limit) {
    if (closed) {
      return 0;
    }
    long now = core.context().nowNanos();
    watch(now);
    int delivered = handshakes.poll(limit, now);
    endpoints.begin();
    ShmEndpoint endpoint = next(limit - delivered);
    while (endpoint != null) {
      delivered += poll(endpoint, limit - delivered);
      endpoint = next(limit - delivered);
    }
    return delivered;
  }

  @Override
  public void arm() {
    if (closed) {
      return;
    }
    core.armed(true);
    for (ShmEndpoint endpoint : endpoints.all()) {
      endpoint.arm();
    }
    // Orders the flags above before the following polls, see WakeWord.
    VarHandle.fullFence();
  }

  @Override
  public void disarm() {
    if (closed) {
      return;
    }
    core.armed(false);
    for (ShmEndpoint endpoint : endpoints.all()) {
      endpoint.disarm();
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    core.armed(false);
    listenings.forEach(ShmListening::close);
    handshakes.close();
    for (ShmEndpoint endpoint : endpoints.all()) {
      endpoint.close();
    }
    endpoints.clear();
    try {
      core.directory().close();
    } catch (IOException e) {
      LOG.warn("cannot remove {}: {}", core.directory().path(), e.getMessage());
    }
    core.deadPeers().close();
  }

  /**
   * Detects dead peers and new connections while the engine never sleeps. Not while armed, because the sleep reads
   * the same channels.
   */
  private void watch(long now) {
    if (now - watchedNanos >= WATCH_NANOS && !core.armed()) {
      watchedNanos = now;
      core.deadPeers().poll(now);
      if (!core.context().justSlept()) {
        core.context().pollIo();
      }
    }
  }

  /** Returns null at the limit of a poll, after its last endpoint, and once a callback has closed the fabric. */
  private ShmEndpoint next(int room) {
    return room > 0 && !closed ? endpoints.next(room) : null;
  }

  private int poll(ShmEndpoint endpoint, int limit) {
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

  private void add(ShmEndpoint endpoint) {
    endpoints.add(endpoint);
    if (core.armed()) {
      endpoint.arm();
      VarHandle.fullFence();
    }
  }
}
