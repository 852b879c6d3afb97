package io.railflux.fabric.verbs;

import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Capabilities;
import io.railflux.fabric.Capabilities.Feature;
import io.railflux.fabric.Completion;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.base.EndpointTable;
import io.railflux.fabric.verbs.connect.Deadlines;
import io.railflux.fabric.verbs.connect.Location;
import io.railflux.fabric.verbs.connect.VerbsConnections;
import io.railflux.fabric.verbs.device.Device;
import io.railflux.fabric.verbs.device.Sleeper;
import io.railflux.fabric.verbs.internal.Errno;
import io.railflux.fabric.verbs.internal.LibC;
import io.railflux.fabric.verbs.internal.NativeFailure;
import io.railflux.fabric.verbs.memory.VerbsMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** All RDMA devices of this host, driven by one engine. */
final class VerbsFabric implements Fabric {

  private static final int MAX_READS = Capabilities.USUAL_OUTSTANDING_READS;

  private final FabricContext context;
  private final Sleeper sleeper;
  private final VerbsConnections connections;
  private final Devices devices;
  private final Deadlines deadlines;
  private final EndpointTable<VerbsEndpoint> endpoints = new EndpointTable<>();
  private final BitSet slots = new BitSet();
  private final VerbsDeliveries deliveries = new VerbsDeliveries();
  private final Set<VerbsMemory> registered = new LinkedHashSet<>();
  private final List<VerbsListening> listenings = new ArrayList<>();
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final Completion completion = new Completion();
  private final int pageBytes = LibC.pageBytes();
  private boolean polling;
  private boolean closed;

  /** Takes ownership of the parts. */
  VerbsFabric(
      FabricContext context, Sleeper sleeper, VerbsConnections connections, Devices devices) {
    this.context = context;
    this.sleeper = sleeper;
    this.connections = connections;
    this.devices = devices;
    this.deadlines = new Deadlines(context, sleeper);
  }

  @Override
  public String name() {
    return VerbsFabricProvider.NAME;
  }

  @Override
  public Capabilities capabilities() {
    return devices.capabilities();
  }

  @Override
  public LocalMemory register(ByteBuffer memory) {
    requireOpen();
    if (!memory.isDirect()) {
      throw new IllegalArgumentException("only direct buffers can be registered");
    }
    VerbsMemory added = new VerbsMemory(memory, registered::remove);
    registered.add(added);
    return added;
  }

  @Override
  public Listening listen(String location, FabricListener listener) throws IOException {
    requireOpen();
    Location wanted = Location.parse(location);
    try {
      VerbsListening listening = new VerbsListening(this, wanted, listener);
      listenings.add(listening);
      return listening;
    } catch (NativeFailure e) {
      throw new IOException("cannot listen at " + location + ": " + explain(e), e);
    }
  }

  void forget(VerbsListening listening) {
    listenings.remove(listening);
  }

  @Override
  public void connect(String location, long attempt, FabricListener listener) {
    requireOpen();
    new VerbsDial(this, location, attempt, listener).begin();
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the verbs fabric is closed");
    }
  }

  @Override
  public int poll(int limit) {
    if (polling) {
      throw new IllegalStateException("poll called from inside a callback of poll");
    }
    polling = true;
    try {
      takeEvents();
      int delivered = 0;
      boolean more = true;
      while (more && delivered < limit && !closed) {
        int callbacks = deliveries.deliverNext();
        if (callbacks == 0 && !closed) {
          more = devices.pollOne(endpoints);
          callbacks = devices.lastCallbacks();
        }
        delivered += callbacks;
      }
      return delivered;
    } finally {
      polling = false;
    }
  }

  private void takeEvents() {
    if (closed) {
      return;
    }
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
    connections.dispatch();
    devices.dispatch(endpoints, connections);
    deadlines.expire();
  }

  @Override
  public void arm() {
    if (!closed) {
      sleeper.arm();
      devices.arm();
    }
  }

  @Override
  public void disarm() {
    sleeper.disarm();
  }

  /** Runs {@code task} in the next poll. Any thread. */
  void execute(Runnable task) {
    tasks.add(task);
    sleeper.wake();
  }

  void deliverLater(VerbsDelivery delivery) {
    deliveries.add(delivery);
  }

  /** A handshake is complete: the connection belongs to the endpoint, and the listener will receive it. */
  void established(long id, VerbsEndpoint endpoint, long attempt) {
    connections.handOver(id, endpoint);
    deliverLater(new VerbsDelivery() {
      private boolean delivered;

      @Override
      public int deliver() {
        if (delivered || endpoint.isClosed()) {
          return 0;
        }
        delivered = true;
        return announce(endpoint, attempt);
      }
    });
  }

  private static int announce(VerbsEndpoint endpoint, long attempt) {
    if (endpoint.isReady()) {
      endpoint.announce(attempt);
      return 1;
    }
    String failure = endpoint.failure();
    endpoint.close();
    if (attempt >= 0) {
      endpoint.listener().onConnectFailed(attempt, failure);
      return 1;
    }
    return 0;
  }

  boolean supports(WorkRequest request) {
    if (request.addressHandle != null) {
      return false;
    }
    return switch (request.opcode) {
      case SEND, WRITE, WRITE_WITH_IMMEDIATE, READ -> true;
      case FETCH_ADD, COMPARE_SWAP -> capabilities().has(Feature.ATOMICS);
      case RECEIVE, RECEIVE_IMMEDIATE -> false;
    };
  }

  /** Returns the number of concurrent reads and atomics, within the limit of the device. */
  static int reads(int deviceLimit) {
    return Math.min(MAX_READS, deviceLimit);
  }

  Device deviceOf(long id) throws NativeFailure {
    return devices.of(id);
  }

  FabricContext context() {
    return context;
  }

  VerbsConnections connections() {
    return connections;
  }

  Deadlines deadlines() {
    return deadlines;
  }

  EndpointTable<VerbsEndpoint> endpoints() {
    return endpoints;
  }

  /** Returns the lowest free slot; buffers store their keys in arrays indexed by slot. */
  int takeSlot() {
    int slot = slots.nextClearBit(0);
    slots.set(slot);
    return slot;
  }

  void returnSlot(int slot) {
    slots.clear(slot);
  }

  Completion completion() {
    return completion;
  }

  int pageBytes() {
    return pageBytes;
  }

  /** Describes a failure, with the remedy if known. */
  static String explain(Exception failure) {
    if (failure instanceof NativeFailure known) {
      String remedy = remedy(known);
      return known.getMessage() + (remedy.isEmpty() ? "" : "; " + remedy);
    }
    return failure.getMessage();
  }

  private static String remedy(NativeFailure failure) {
    return switch (failure.errno()) {
      case Errno.ENOMEM -> VerbsAvailability.MEMORY_LOCK_REMEDY;
      case Errno.EACCES, Errno.EPERM -> VerbsAvailability.PERMISSION_REMEDY;
      case Errno.EADDRNOTAVAIL, Errno.ENODEV ->
        "rdma link shows the devices," + " ip address their addresses";
      default -> "";
    };
  }

  static FabricUnavailableException unavailable(String what, Throwable cause) {
    boolean known = cause instanceof NativeFailure;
    String remedy = known ? remedy((NativeFailure) cause) : VerbsAvailability.MEMORY_LOCK_REMEDY;
    return new FabricUnavailableException(
        VerbsFabricProvider.NAME,
        what + ": " + cause.getMessage(),
        remedy.isEmpty() ? "see dmesg and rdma link" : remedy,
        cause);
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    disarm();
    deliveries.clear();
    deadlines.clear();
    // Its thread uses the descriptors of all others.
    sleeper.close();
    endpoints.all().forEach(VerbsEndpoint::close);
    new ArrayList<>(listenings).forEach(VerbsListening::close);
    new ArrayList<>(registered).forEach(VerbsMemory::close);
    connections.close();
    devices.close();
  }
}
