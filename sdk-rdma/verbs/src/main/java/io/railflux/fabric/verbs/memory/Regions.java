package io.railflux.fabric.verbs.memory;

import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Access;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.verbs.internal.NativeFailure;
import io.railflux.fabric.verbs.internal.NativeScope;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;

/** Regions of one endpoint that its peer may access. */
public final class Regions implements AutoCloseable {

  private final Owner owner;
  private final FabricContext context;
  private final int pageBytes;
  private final ProtectionDomain domain;
  private final Set<VerbsRegion> open = new LinkedHashSet<>();

  /** The endpoint of the regions. */
  public interface Owner {

    long id();

    /** Explains a lack of memory or permission. */
    FabricUnavailableException unavailable(String what, Throwable cause);
  }

  public Regions(Owner owner, FabricContext context, int pageBytes, ProtectionDomain domain) {
    this.owner = owner;
    this.context = context;
    this.pageBytes = pageBytes;
    this.domain = domain;
  }

  /** Returns the number of the endpoint. */
  long endpointId() {
    return owner.id();
  }

  /** Allocates zeroed memory in separate pages, so that the key of the peer reaches no other memory. */
  public VerbsRegion fresh(int lengthBytes, Access access) {
    NativeScope scope = new NativeScope("region");
    int bytes = Math.max(Long.BYTES, Math.addExact(lengthBytes, Long.BYTES - 1) & -Long.BYTES);
    try {
      MemorySegment memory = scope.allocate(bytes, pageBytes);
      return expose(memory.asByteBuffer(), access, scope);
    } catch (OutOfMemoryError e) {
      scope.close();
      throw owner.unavailable("no memory for a region of " + bytes + " bytes", e);
    } catch (NativeFailure e) {
      scope.close();
      throw owner.unavailable("cannot expose " + bytes + " bytes", e);
    }
  }

  public VerbsRegion ofCaller(ByteBuffer memory, Access access) {
    try {
      return expose(memory.duplicate().clear(), access, null);
    } catch (NativeFailure e) {
      throw owner.unavailable("cannot expose " + memory.capacity() + " bytes", e);
    }
  }

  private VerbsRegion expose(ByteBuffer memory, Access access, NativeScope scope)
      throws NativeFailure {
    long address = MemorySegment.ofBuffer(memory).address();
    long iova = RegionKey.randomAddress(context, address, pageBytes);
    Registration registration =
        domain.register(address, memory.capacity(), iova, VerbsRegion.flags(access));
    long key = RegionKey.of(iova, registration.rkey());
    ByteBuffer littleEndian = memory.order(ByteOrder.LITTLE_ENDIAN);
    VerbsRegion region = new VerbsRegion(this, littleEndian, registration, key, scope);
    open.add(region);
    return region;
  }

  void forget(VerbsRegion region) {
    open.remove(region);
  }

  public void revoke() {
    open.forEach(VerbsRegion::revoke);
  }

  @Override
  public void close() {
    new ArrayList<>(open).forEach(VerbsRegion::close);
  }
}
