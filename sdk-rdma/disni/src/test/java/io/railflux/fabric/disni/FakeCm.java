package io.railflux.fabric.disni;

import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** The connection manager of the fake. */
final class FakeCm extends RdmaCm {

  private static final int FIRST_PORT = 30_000;

  private final FakeRdma rdma;

  FakeCm(FakeRdma rdma) {
    this.rdma = rdma;
  }

  @Override
  public RdmaEventChannel createEventChannel() throws IOException {
    synchronized (rdma) {
      rdma.born("event channel");
      return new FakeEventChannel(rdma);
    }
  }

  @Override
  public RdmaCmId createId(RdmaEventChannel channel, short portSpace) throws IOException {
    synchronized (rdma) {
      return newId((FakeEventChannel) channel);
    }
  }

  private FakeId newId(FakeEventChannel channel) throws IOException {
    rdma.born("identifier");
    return new FakeId(channel);
  }

  @Override
  public IbvQP createQP(RdmaCmId id, IbvPd pd, IbvQPInitAttr attributes) throws IOException {
    synchronized (rdma) {
      FakeQueuePair pair = new FakeQueuePair(rdma, (FakePd) pd, attributes);
      rdma.born("queue pair");
      ((FakeId) id).with(pair);
      return pair;
    }
  }

  @Override
  public void bindAddr(RdmaCmId id, SocketAddress address) throws IOException {
    synchronized (rdma) {
      InetSocketAddress wanted = (InetSocketAddress) address;
      if (!FakeRdma.isReachable(wanted)) {
        throw new IOException("rdma_bind_addr failed: Cannot assign requested address\n");
      }
      FakeId bound = (FakeId) id;
      bound.source = rdma.bind(wanted);
      bound.on(rdma.device(wanted));
    }
  }

  @Override
  public void listen(RdmaCmId id, int backlog) {
    synchronized (rdma) {
      rdma.listen(((FakeId) id).source, (FakeId) id);
    }
  }

  @Override
  public void resolveAddr(RdmaCmId id, SocketAddress from, SocketAddress to, int timeout)
      throws IOException {
    synchronized (rdma) {
      FakeId resolved = (FakeId) id;
      resolved.destination = (InetSocketAddress) to;
      if (FakeRdma.isReachable(resolved.destination)) {
        resolved.source =
            new InetSocketAddress(resolved.destination.getAddress(), FIRST_PORT + rdma.nextKey());
        resolved.on(rdma.device(resolved.destination));
        resolved.raise(EventType.RDMA_CM_EVENT_ADDR_RESOLVED);
      } else {
        resolved.raise(EventType.RDMA_CM_EVENT_ADDR_ERROR);
      }
    }
  }

  @Override
  public void resolveRoute(RdmaCmId id, int timeout) throws IOException {
    synchronized (rdma) {
      ((FakeId) id).raise(EventType.RDMA_CM_EVENT_ROUTE_RESOLVED);
    }
  }

  @Override
  public RdmaCmEvent getCmEvent(RdmaEventChannel channel, int timeout) throws IOException {
    return rdma.await(timeout, ((FakeEventChannel) channel)::poll);
  }

  @Override
  public void connect(RdmaCmId id, RdmaConnParam parameters) throws IOException {
    synchronized (rdma) {
      FakeId connecting = (FakeId) id;
      FakeId listening = rdma.listeningAt(connecting.destination);
      if (listening == null) {
        connecting.raise(EventType.RDMA_CM_EVENT_REJECTED);
        return;
      }
      FakeId accepting = newId(listening.channel());
      accepting.source = connecting.destination;
      accepting.destination = connecting.source;
      accepting.on((FakeContext) listening.getVerbs());
      accepting.peer = connecting;
      connecting.peer = accepting;
      listening.raiseRequest(accepting);
    }
  }

  @Override
  public void accept(RdmaCmId id, RdmaConnParam parameters) throws IOException {
    synchronized (rdma) {
      FakeId accepting = (FakeId) id;
      FakeId connecting = accepting.peer;
      if (connecting == null) {
        throw new IOException("rdma_accept failed: Connection timed out\n");
      }
      accepting.connected = true;
      connecting.connected = true;
      accepting.pair().pairWith(connecting.pair());
      connecting.raise(EventType.RDMA_CM_EVENT_ESTABLISHED);
      accepting.raise(EventType.RDMA_CM_EVENT_ESTABLISHED);
    }
  }

  @Override
  public int ackCmEvent(RdmaCmEvent event) {
    return 0;
  }

  @Override
  public int disconnect(RdmaCmId id) throws IOException {
    synchronized (rdma) {
      FakeId leaving = (FakeId) id;
      leaving.pair().fail();
      leaving.leave();
      return 0;
    }
  }

  @Override
  public int destroyEventChannel(RdmaEventChannel channel) throws IOException {
    synchronized (rdma) {
      int identifiers = ((FakeEventChannel) channel).identifiers;
      if (identifiers != 0) {
        throw new IllegalStateException(identifiers + " identifiers outlive their channel");
      }
      channel.close();
      rdma.died("event channel");
      return 0;
    }
  }

  @Override
  public int destroyCmId(RdmaCmId id) throws IOException {
    synchronized (rdma) {
      FakeId destroyed = (FakeId) id;
      if (!destroyed.isOpen() || (destroyed.pair() != null && destroyed.pair().isOpen())) {
        throw new IllegalStateException("destroyed twice, or before its queue pair");
      }
      destroyed.leave();
      destroyed.close();
      destroyed.channel().identifiers--;
      rdma.unlisten(destroyed);
      rdma.died("identifier");
      return 0;
    }
  }

  @Override
  public int destroyQP(RdmaCmId id) {
    synchronized (rdma) {
      ((FakeId) id).pair().destroy();
      rdma.died("queue pair");
      return 0;
    }
  }

  @Override
  public SocketAddress getSrcAddr(RdmaCmId id) {
    return ((FakeId) id).source;
  }

  @Override
  public SocketAddress getDstAddr(RdmaCmId id) {
    return ((FakeId) id).destination;
  }

  @Override
  public int destroyEp(RdmaCmId id) {
    throw new UnsupportedOperationException();
  }
}
