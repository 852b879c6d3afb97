package io.railflux.fabric.verbs.memory;

import io.railflux.fabric.verbs.internal.LibIbverbs;
import io.railflux.fabric.verbs.internal.NativeFailure;
import io.railflux.fabric.verbs.internal.NativeScope;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Memory that one endpoint and its peer may access. Keys have no meaning in another domain, and so for other peers
 * (D11).
 */
public final class ProtectionDomain implements AutoCloseable {

  private final long pd;
  private final int slot;
  private final NativeScope scope = new NativeScope("protection domain");
  private final Set<Registration> registrations = new LinkedHashSet<>();

  /** @param slot slot of the endpoint within its fabric */
  public ProtectionDomain(long context, int slot) throws NativeFailure {
    this.slot = slot;
    try {
      pd = LibIbverbs.allocPd(context);
    } catch (NativeFailure e) {
      scope.close();
      throw e;
    }
    scope.adopt(pd, () -> LibIbverbs.deallocPd(pd));
  }

  public long address() {
    return pd;
  }

  int slot() {
    return slot;
  }

  public Registration register(long address, long lengthBytes, long iova, int access)
      throws NativeFailure {
    long mr = LibIbverbs.registerMemory(pd, address, lengthBytes, iova, access);
    Registration registration = new Registration(this, mr);
    registrations.add(registration);
    return registration;
  }

  void forget(Registration registration) {
    registrations.remove(registration);
  }

  public void deregisterAll() {
    new ArrayList<>(registrations).forEach(Registration::close);
  }

  @Override
  public void close() {
    deregisterAll();
    scope.close();
  }
}
