package io.railflux.fabric.verbs;

import io.railflux.fabric.Access;
import io.railflux.fabric.verbs.internal.NativeFailure;
import io.railflux.fabric.verbs.internal.NativeScope;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;

/** Regions of one endpoint that its peer may access. */
final class Regions implements AutoCloseable {

  private final VerbsEndpoint endpoint;
  private final VerbsFabric fabric;
  private final ProtectionDomain domain;
  private final Set<VerbsRegion> open = new LinkedHashSet<>();

  Regions(VerbsEndpoint endpoint, VerbsFabric fabric, ProtectionDomain domain) {
    this.endpoint = endpoint;
    this.fabric = fabric;
    this.domain = domain;
  }

  /** Allocates zeroed memory in separate pages, so that the key of the peer reaches no other memory. */
  VerbsRegion fresh(int lengthBytes, Access access) {
    NativeScope scope = new NativeScope("region");
    int bytes = Math.max(Long.BYTES, Math.addExact(lengthBytes, Long.BYTES - 1) & -Long.BYTES);
    try {
      MemorySegment memory = scope.allocate(bytes, fabric.pageBytes());
      return expose(memory.asByteBuffer(), access, scope);
    } catch (OutOfMemoryError e) {
      scope.close();
      throw VerbsFabric.unavailable("no memory for a region of " + bytes + " bytes", e);
    } catch (NativeFailure e) {
      scope.close();
      throw endpoint.unavailable("cannot expose " + bytes + " bytes", e);
    }
  }

  VerbsRegion ofCaller(ByteBuffer memory, Access access) {
    try {
      return expose(memory.duplicate().clear(), access, null);
    } catch (NativeFailure e) {
      throw endpoint.unavailable("cannot expose " + memory.capacity() + " bytes", e);
    }
  }

  private VerbsRegion expose(ByteBuffer memory, Access access, NativeScope scope)
      throws NativeFailure {
    long address = MemorySegment.ofBuffer(memory).address();
    long iova = RegionKey.randomAddress(fabric.context(), address, fabric.pageBytes());
    Registration registration =
        domain.register(address, memory.capacity(), iova, VerbsRegion.flags(access));
    long key = RegionKey.of(iova, registration.rkey());
    ByteBuffer littleEndian = memory.order(ByteOrder.LITTLE_ENDIAN);
    VerbsRegion region = new VerbsRegion(endpoint, littleEndian, registration, key, scope);
    open.add(region);
    return region;
  }

  void forget(VerbsRegion region) {
    open.remove(region);
  }

  void revoke() {
    open.forEach(VerbsRegion::revoke);
  }

  @Override
  public void close() {
    new ArrayList<>(open).forEach(VerbsRegion::close);
  }
}
