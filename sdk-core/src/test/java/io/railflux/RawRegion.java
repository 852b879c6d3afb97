package io.railflux;

import io.railflux.fabric.Endpoint;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.RemoteRegion;
import io.railflux.fabric.WorkRequest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Memory of a node as a {@link RawPeer} writes it: a mapping, or a copy whose changes are sent. */
final class RawRegion {

  private final Fabric fabric;
  private final Endpoint endpoint;
  private final RemoteRegion remote;
  private final LocalMemory copy;
  final ByteBuffer memory;

  /**
   * @param bytes the granted size, or more for writes beyond it
   */
  RawRegion(Fabric fabric, Endpoint endpoint, long key, int bytes) throws RemoteAccessException {
    this.fabric = fabric;
    this.endpoint = endpoint;
    this.remote = endpoint.attach(key, bytes);
    if (remote.mapped() != null) {
      copy = null;
      memory = remote.mapped();
    } else {
      memory = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
      copy = fabric.register(memory);
    }
  }

  /** Makes the content visible to the node. */
  void send(int offset, int bytes) {
    if (copy != null) {
      WorkRequest write =
          new WorkRequest().write(copy, offset, bytes, remote, offset).withId(3);
      while (endpoint.post(write) == PostResult.QUEUE_FULL) {
        fabric.poll(16);
      }
    }
    endpoint.notifyPeer();
  }
}
