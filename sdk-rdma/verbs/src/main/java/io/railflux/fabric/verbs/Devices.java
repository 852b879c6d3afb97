package io.railflux.fabric.verbs;

import io.railflux.fabric.Capabilities;
import io.railflux.fabric.Capabilities.Feature;
import io.railflux.fabric.base.EndpointTable;
import io.railflux.fabric.verbs.connect.VerbsConnections;
import io.railflux.fabric.verbs.device.CompletionQueue;
import io.railflux.fabric.verbs.device.Device;
import io.railflux.fabric.verbs.device.LayoutCheck;
import io.railflux.fabric.verbs.device.Sleeper;
import io.railflux.fabric.verbs.internal.Errno;
import io.railflux.fabric.verbs.internal.IbvAsyncEvent;
import io.railflux.fabric.verbs.internal.IbvContext;
import io.railflux.fabric.verbs.internal.IbvQpCap;
import io.railflux.fabric.verbs.internal.IbvWc;
import io.railflux.fabric.verbs.internal.LibIbverbs;
import io.railflux.fabric.verbs.internal.NativeFailure;
import io.railflux.fabric.verbs.internal.rdmacm.RdmaCmId;
import io.railflux.fabric.verbs.queue.SendQueue;
import io.railflux.fabric.verbs.queue.WorkIds;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The RDMA devices that existed when the fabric was opened, and their common abilities. */
final class Devices implements AutoCloseable {

  private static final int DEPTH = 256;
  private static final int EAGER_LIMIT_BYTES = 16 * 1024;

  private final List<Device> devices = new ArrayList<>();
  private final Capabilities capabilities;
  private int first;
  private int lastCallbacks;

  /** Opens the devices and verifies that the layout of the library matches the bindings. */
  Devices(Sleeper sleeper) throws NativeFailure {
    try {
      LibIbverbs.forEachDevice((name, device) -> devices.add(new Device(name, device, sleeper)));
      if (devices.isEmpty()) {
        throw new NativeFailure("no RDMA device", Errno.ENODEV);
      }
      int inlineBytes = Integer.MAX_VALUE;
      for (Device device : devices) {
        IbvQpCap granted = LayoutCheck.of(device, wanted(device));
        inlineBytes = Math.min(inlineBytes, granted.maxInlineBytes());
      }
      capabilities = declared(inlineBytes);
    } catch (NativeFailure | RuntimeException e) {
      devices.forEach(Device::close);
      throw e;
    }
  }

  private static IbvQpCap wanted(Device device) {
    int depth = depth(device);
    return new IbvQpCap(depth + SendQueue.HIDDEN, depth, LayoutCheck.INLINE_BYTES);
  }

  private static int depth(Device device) {
    return Math.min(DEPTH, device.attributes().maxQpWr() - SendQueue.HIDDEN);
  }

  /**
   * Abilities of all devices. Ordered placement is never declared: neither the specification nor a device guarantees
   * it, and it would not hold over PCIe or with adaptive routing (D8).
   */
  private Capabilities declared(int inlineBytes) {
    int depth = devices.stream().mapToInt(Devices::depth).min().orElseThrow();
    int reads = devices.stream()
        .mapToInt(device -> VerbsFabric.reads(
            Math.min(device.attributes().maxQpRdAtom(), device.attributes().maxQpInitRdAtom())))
        .min()
        .orElseThrow();
    Set<Feature> features = EnumSet.of(
        Feature.WRITE_WITH_IMMEDIATE,
        Feature.SOLICITED_EVENTS,
        Feature.FENCED_REQUESTS,
        Feature.USER_MEMORY,
        Feature.EXPOSES_USER_MEMORY,
        Feature.READ,
        Feature.OFFLOADED_READS);
    if (devices.stream().allMatch(device -> device.attributes().atomics())) {
      features.add(Feature.ATOMICS);
    }
    return new Capabilities(
        features, SendQueue.MAX_SEND_BYTES, inlineBytes, depth, depth, EAGER_LIMIT_BYTES, reads);
  }

  Capabilities capabilities() {
    return capabilities;
  }

  /** Returns the device of a connection. */
  Device of(long id) throws NativeFailure {
    String name = LibIbverbs.deviceName(IbvContext.deviceOf(RdmaCmId.verbs(id)));
    for (Device device : devices) {
      if (device.name().equals(name)) {
        return device;
      }
    }
    throw new NativeFailure(
        "device " + name + " came after this node started; restart it", Errno.ENODEV);
  }

  /**
   * Processes one work completion. False without one; {@link #lastCallbacks} returns its callbacks. Each {@link #dispatch}
   * changes the device that is polled first.
   */
  boolean pollOne(EndpointTable<VerbsEndpoint> endpoints) {
    lastCallbacks = 0;
    for (int d = 0; d < devices.size(); d++) {
      List<CompletionQueue> queues = devices.get((first + d) % devices.size()).queues();
      for (int q = 0; q < queues.size(); q++) {
        CompletionQueue queue = queues.get(q);
        int index = queue.next();
        if (index >= 0) {
          lastCallbacks = dispatch(endpoints, queue.batch(), index);
          return true;
        }
      }
    }
    return false;
  }

  private static int dispatch(EndpointTable<VerbsEndpoint> endpoints, IbvWc batch, int index) {
    VerbsEndpoint endpoint = endpoints.get(WorkIds.endpoint(batch.id(index)));
    return endpoint == null ? 0 : endpoint.completed(batch, index);
  }

  int lastCallbacks() {
    return lastCallbacks;
  }

  /** Processes queued events: failures of queue pairs, ports and devices. */
  void dispatch(EndpointTable<VerbsEndpoint> endpoints, VerbsConnections connections) {
    first = (first + 1) % devices.size();
    for (int i = 0; i < devices.size(); i++) {
      Device device = devices.get(i);
      device.discardCompletionEvents();
      if (device.takeAsyncEvents()) {
        device.dispatchAsyncEvents(event -> onEvent(device, event, endpoints, connections));
      }
    }
  }

  private static void onEvent(
      Device device,
      IbvAsyncEvent event,
      EndpointTable<VerbsEndpoint> endpoints,
      VerbsConnections connections) {
    if (event.type() == IbvAsyncEvent.PORT_ACTIVE) {
      connections.destroyRetired();
    }
    for (VerbsEndpoint endpoint : endpoints.all()) {
      EndpointParts parts = endpoint.parts();
      if (parts.device() != device) {
        continue;
      }
      if (event.type() == IbvAsyncEvent.PORT_ERR && event.port() == parts.port()) {
        endpoint.fail("port " + parts.port() + " of " + device + " is down");
      } else if (event.type() == IbvAsyncEvent.DEVICE_FATAL
          || event.type() == IbvAsyncEvent.CQ_ERR) {
        endpoint.fail("device " + device + " failed");
      } else if (event.aboutQueuePair() && event.element() == parts.pair().address()) {
        endpoint.fail("the device refused what " + endpoint.remoteDescription() + " sent");
      }
    }
  }

  void arm() {
    for (int i = 0; i < devices.size(); i++) {
      devices.get(i).arm();
    }
  }

  @Override
  public void close() {
    devices.forEach(Device::close);
  }
}
