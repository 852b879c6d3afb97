package io.railflux.engine.fakes;

import io.railflux.engine.RingMemory;
import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Access;
import io.railflux.fabric.Capabilities;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.EndpointState;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.Protection;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.RemoteRegion;
import io.railflux.fabric.WorkRequest;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;

/** Records posted requests. A request takes effect immediately and completes on request of the test. */
public final class FakeEndpoint implements Endpoint {

  /** A posted request. */
  public record Posted(long id, Opcode opcode, int lengthBytes, boolean signaled) {}

  private final Capabilities capabilities;
  private final Map<Long, FakeRegion> exposed = new TreeMap<>();
  private final Map<Long, ByteBuffer> ofPeer = new TreeMap<>();
  private long lastKey;

  /** Pending requests, oldest first. */
  public final ArrayDeque<Posted> posted = new ArrayDeque<>();

  /** Ids of posted receives. */
  public final List<Long> receives = new ArrayList<>();

  /** Receives the number of slots of each write with immediate data. */
  IntConsumer onAnnounced = slots -> {};

  public PostResult result = PostResult.POSTED;
  public Protection protection = Protection.SAME_HOST;
  public EndpointState state = EndpointState.READY;
  public String remoteHost = "far";
  public boolean peerGone;

  /** Bytes that can still be exposed. */
  public long exposableBytes = Long.MAX_VALUE;

  public String fenced;
  public int notified;
  public int heldBack;
  public boolean closed;

  /** Number of open attached regions. */
  public int attached;

  public FakeEndpoint(Capabilities capabilities) {
    this.capabilities = capabilities;
  }

  /** Exposes memory of the peer to this endpoint; returns the key. */
  public long peerExposes(ByteBuffer memory) {
    ofPeer.put(++lastKey, memory);
    return lastKey;
  }

  /** Returns the memory of an exposed region; null if the region does not exist or is closed. */
  public ByteBuffer exposed(long key) {
    FakeRegion region = exposed.get(key);
    return region == null ? null : region.memory();
  }

  /** Returns the number of open exposed regions. */
  public int exposedCount() {
    return exposed.size();
  }

  @Override
  public long id() {
    return 1;
  }

  @Override
  public EndpointState state() {
    return state;
  }

  @Override
  public boolean peerGone() {
    return peerGone;
  }

  @Override
  public String remoteDescription() {
    return remoteHost + "/fake";
  }

  @Override
  public String remoteHost() {
    return remoteHost;
  }

  @Override
  public Protection protection() {
    return protection;
  }

  @Override
  public ExposedRegion expose(int lengthBytes, Access access) {
    return expose(RingMemory.of(lengthBytes), access);
  }

  @Override
  public ExposedRegion expose(ByteBuffer memory, Access access) {
    if (state != EndpointState.READY) {
      throw new IllegalStateException(state.toString());
    }
    if (memory.capacity() > exposableBytes) {
      throw new FabricUnavailableException(
          "fake", "only " + exposableBytes + " B are left", "expose less");
    }
    long key = ++lastKey;
    FakeRegion region = new FakeRegion(key, memory, () -> exposed.remove(key));
    exposed.put(key, region);
    return region;
  }

  @Override
  public RemoteRegion attach(long key, int lengthBytes) throws RemoteAccessException {
    ByteBuffer memory = ofPeer.get(key);
    if (memory == null || memory.capacity() != lengthBytes) {
      throw new RemoteAccessException("region " + key + " of " + lengthBytes + " B");
    }
    attached++;
    return new FakeRegion.Remote(
        key, memory, capabilities.mapped() ? memory : null, () -> attached--);
  }

  @Override
  public PostResult post(WorkRequest request) {
    if (result != PostResult.POSTED) {
      return result;
    }
    ByteBuffer local = request.local.memory();
    ByteBuffer remote = ((FakeRegion.Remote) request.remote).target();
    if (request.opcode == Opcode.READ) {
      local.put(request.localOffset, remote, request.remoteOffset, request.lengthBytes);
    } else {
      remote.put(request.remoteOffset, local, request.localOffset, request.lengthBytes);
    }
    if (request.opcode == Opcode.WRITE_WITH_IMMEDIATE) {
      onAnnounced.accept(request.immediate);
    }
    posted.add(new Posted(request.id, request.opcode, request.lengthBytes, request.signaled));
    return PostResult.POSTED;
  }

  @Override
  public PostResult postReceive(long id, LocalMemory memory, int offset, int lengthBytes) {
    receives.add(id);
    return PostResult.POSTED;
  }

  @Override
  public void notifyPeer() {
    notified++;
  }

  @Override
  public void moreFollows() {
    heldBack++;
  }

  @Override
  public void fence(String reason) {
    fenced = fenced == null ? reason : fenced;
    state = EndpointState.DRAINING;
  }

  @Override
  public void close() {
    closed = true;
    state = EndpointState.CLOSED;
  }
}
