package io.railflux.fabric.verbs.memory;

import io.railflux.fabric.Access;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.verbs.internal.IbvMr;
import io.railflux.fabric.verbs.internal.NativeScope;
import java.nio.ByteBuffer;

/** Memory of the fabric or the caller that the peer of one endpoint may access. */
final class VerbsRegion extends VerbsBuffer implements ExposedRegion {

  private final Regions owner;
  private final Registration exposed;
  private final long key;
  private final NativeScope scope;

  /**
   * @param exposed registration for the peer, with the address in {@code key}
   * @param scope owns the memory; null for memory of the caller
   */
  VerbsRegion(Regions owner, ByteBuffer memory, Registration exposed, long key, NativeScope scope) {
    super(memory);
    this.owner = owner;
    this.exposed = exposed;
    this.key = key;
    this.scope = scope;
  }

  static int flags(Access access) {
    int reading = access.allowsRead() ? IbvMr.REMOTE_READ : 0;
    // Memory that the peer may write must be writable here.
    int writing = access.allowsWrite() ? IbvMr.REMOTE_WRITE : 0;
    int atomics = access == Access.REMOTE_ALL ? IbvMr.REMOTE_ATOMIC : 0;
    return IbvMr.LOCAL_WRITE | reading | writing | atomics;
  }

  @Override
  public long key() {
    return key;
  }

  @Override
  public ByteBuffer memory() {
    if (!isOpen()) {
      throw new IllegalStateException("region of endpoint " + owner.endpointId() + " is closed");
    }
    return holders();
  }

  /** No later access of the peer takes effect; this side can still read the memory. */
  void revoke() {
    exposed.close();
  }

  @Override
  public void close() {
    if (deregister()) {
      revoke();
      owner.forget(this);
      if (scope != null) {
        scope.close();
      }
    }
  }
}
