package io.railflux.fabric.disni;

import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import java.io.IOException;
import java.net.InetSocketAddress;

/** An identifier: bound, listening, or one end of a connection. Guarded by the fake. */
final class FakeId extends RdmaCmId {

  private final FakeEventChannel channel;
  InetSocketAddress source;
  InetSocketAddress destination;
  boolean connected;

  /** The other end of the connection or of the attempt. */
  FakeId peer;

  FakeId(FakeEventChannel channel) throws IOException {
    super(channel, null);
    this.channel = channel;
    channel.identifiers++;
  }

  void on(FakeContext device) {
    setVerbs(device);
  }

  void with(FakeQueuePair pair) {
    setQp(pair);
  }

  FakeQueuePair pair() {
    return (FakeQueuePair) getQp();
  }

  void raise(EventType type) throws IOException {
    if (isOpen()) {
      channel.add(type, null, this);
    }
  }

  void raiseRequest(FakeId connection) throws IOException {
    channel.add(EventType.RDMA_CM_EVENT_CONNECT_REQUEST, this, connection);
  }

  FakeEventChannel channel() {
    return channel;
  }

  /** Ends the connection and notifies the other end. */
  void leave() throws IOException {
    FakeId other = peer;
    peer = null;
    if (other == null) {
      return;
    }
    other.peer = null;
    other.raise(
        connected ? EventType.RDMA_CM_EVENT_DISCONNECTED : EventType.RDMA_CM_EVENT_REJECTED);
  }
}
