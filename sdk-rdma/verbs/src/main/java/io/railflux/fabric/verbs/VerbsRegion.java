package io.railflux.fabric.verbs;

import io.railflux.fabric.Access;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.verbs.internal.IbvMr;
import io.railflux.fabric.verbs.internal.NativeScope;
import java.nio.ByteBuffer;

/** Memory that the peer of one endpoint may access, the fabric's own or the caller's. */
final class VerbsRegion extends VerbsBuffer implements ExposedRegion {

  private final VerbsEndpoint endpoint;
  private final Registration exposed;
  private final long key;
  private final NativeScope scope;

  /**
   * @param exposed for the peer, under the address in {@code key}
   * @param scope owns the memory; null when it is the caller's
   */
  VerbsRegion(
      VerbsEndpoint endpoint,
      ByteBuffer memory,
      Registration exposed,
      long key,
      NativeScope scope) {
    super(memory);
    this.endpoint = endpoint;
    this.exposed = exposed;
    this.key = key;
    this.scope = scope;
  }

  static int flags(Access access) {
    int reading = access.allowsRead() ? IbvMr.REMOTE_READ : 0;
    // Whom others may write to must be writable here.
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
      throw new IllegalStateException("region of endpoint " + endpoint.id() + " is closed");
    }
    return holders();
  }

  /** Nothing of the peer takes effect from now on; the memory stays readable here. */
  void revoke() {
    exposed.close();
  }

  @Override
  public void close() {
    if (deregister()) {
      revoke();
      endpoint.forget(this);
      if (scope != null) {
        scope.close();
      }
    }
  }
}
