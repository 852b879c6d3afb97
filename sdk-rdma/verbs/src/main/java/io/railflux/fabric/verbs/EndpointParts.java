package io.railflux.fabric.verbs;

import io.railflux.fabric.verbs.connect.Greeting;
import io.railflux.fabric.verbs.device.CompletionQueue;
import io.railflux.fabric.verbs.device.Device;
import io.railflux.fabric.verbs.device.QueuePair;
import io.railflux.fabric.verbs.internal.IbvDeviceAttr;
import io.railflux.fabric.verbs.internal.IbvQpCap;
import io.railflux.fabric.verbs.internal.NativeFailure;
import io.railflux.fabric.verbs.internal.NativeScope;
import io.railflux.fabric.verbs.internal.rdmacm.LibRdmacm;
import io.railflux.fabric.verbs.internal.rdmacm.RdmaCmEvent;
import io.railflux.fabric.verbs.memory.ProtectionDomain;
import io.railflux.fabric.verbs.memory.Regions;
import io.railflux.fabric.verbs.queue.ReceiveQueue;
import io.railflux.fabric.verbs.queue.RequestEncoder;
import io.railflux.fabric.verbs.queue.SendQueue;

/** Native objects of an endpoint, and the order of their creation and destruction. */
final class EndpointParts implements AutoCloseable {

  private final NativeScope scope = new NativeScope("endpoint");
  private final VerbsFabric fabric;
  private final Device device;
  private final CompletionQueue completions;
  private final ProtectionDomain domain;
  private final QueuePair pair;
  private final SendQueue sends;
  private final ReceiveQueue receives;
  private final RequestEncoder encoder;
  private final Regions regions;
  private final int number;
  private long id;
  private int port;

  EndpointParts(VerbsEndpoint owner, VerbsFabric fabric, Device device) throws NativeFailure {
    this.fabric = fabric;
    this.device = device;
    this.number = fabric.endpoints().nextNumber();
    int sendDepth = fabric.capabilities().sendQueueDepth();
    int receiveDepth = fabric.capabilities().receiveQueueDepth();
    int entries = sendDepth + SendQueue.HIDDEN + receiveDepth;
    try {
      completions = device.reserve(entries);
      scope.adopt(completions, () -> completions.release(entries));
      int slot = fabric.takeSlot();
      scope.adopt(slot, () -> fabric.returnSlot(slot));
      domain = new ProtectionDomain(device.context().address(), slot);
      scope.adopt(domain, domain::close);
      IbvQpCap cap = new IbvQpCap(
          sendDepth + SendQueue.HIDDEN, receiveDepth, fabric.capabilities().maxInlineBytes());
      pair = new QueuePair(device.context(), domain, completions.address(), cap);
      scope.adopt(pair, pair::close);
      receives = new ReceiveQueue(owner, pair, domain, scope, receiveDepth);
    } catch (NativeFailure e) {
      scope.close();
      throw e;
    }
    int inline = fabric.capabilities().maxInlineBytes();
    encoder = new RequestEncoder(domain, pair.request(), inline, receives.lkey());
    sends = new SendQueue(owner, pair, encoder, sendDepth);
    regions = new Regions(owner, fabric.context(), fabric.pageBytes(), domain);
    scope.adopt(regions, regions::close);
  }

  /** Sets the connection of the parts. */
  void belongsTo(long connection, int devicePort) {
    id = connection;
    port = devicePort;
  }

  int number() {
    return number;
  }

  Device device() {
    return device;
  }

  int port() {
    return port;
  }

  QueuePair pair() {
    return pair;
  }

  SendQueue sends() {
    return sends;
  }

  ReceiveQueue receives() {
    return receives;
  }

  Regions regions() {
    return regions;
  }

  /** Enables receives, then sends, within the limits of the peer. */
  void readyFor(RdmaCmEvent event, Greeting greeting) throws NativeFailure {
    IbvDeviceAttr own = device.attributes();
    encoder.peerTakes(greeting.fragmentBytes());
    pair.toReadyToReceive(
        id, Math.min(VerbsFabric.reads(own.maxQpRdAtom()), event.responderResources()));
    pair.toReadyToSend(
        id, Math.min(VerbsFabric.reads(own.maxQpInitRdAtom()), event.initiatorDepth()));
  }

  /** Flushes the requests, and disconnects if the port is up. */
  void beginDrain() throws NativeFailure {
    if (device.isActive(port)) {
      LibRdmacm.disconnect(id);
    }
    pair.toError();
    sends.postMarker();
  }

  /** All requests have completed, or never will: revokes the keys and destroys the queue pair. */
  void endHardware() {
    regions.revoke();
    pair.close();
  }

  @Override
  public void close() {
    scope.close();
    if (id != 0 && device.isActive(port)) {
      fabric.connections().destroy(id);
    } else if (id != 0) {
      fabric.connections().destroyLater(id, device, port);
    }
    id = 0;
  }
}
