package io.railflux.fabric.disni;

import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;

/** Pending connection events. Guarded by the fake. */
final class FakeEventChannel extends RdmaEventChannel {

  private final FakeRdma rdma;
  private final Queue<RdmaCmEvent> events = new ArrayDeque<>();
  int identifiers;

  FakeEventChannel(FakeRdma rdma) throws IOException {
    super(0);
    this.rdma = rdma;
  }

  void add(EventType type, RdmaCmId listening, RdmaCmId connection) throws IOException {
    events.add(new RdmaCmEvent(type.ordinal(), listening, connection));
    rdma.notifyAll();
  }

  RdmaCmEvent poll() {
    return events.poll();
  }
}
