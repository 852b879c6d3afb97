package io.railflux.fabric.verbs.memory;

import io.railflux.fabric.verbs.internal.IbvMr;
import io.railflux.fabric.verbs.internal.LibIbverbs;

/** A memory region of one protection domain. After {@link #close} no access is in progress. */
public final class Registration implements AutoCloseable {

  private final ProtectionDomain domain;
  private final long mr;
  private final IbvMr keys;
  private boolean open = true;

  Registration(ProtectionDomain domain, long mr) {
    this.domain = domain;
    this.mr = mr;
    this.keys = IbvMr.at(mr);
  }

  ProtectionDomain domain() {
    return domain;
  }

  /** Returns the address of {@code struct ibv_mr}. */
  public long address() {
    return mr;
  }

  public int lkey() {
    return keys.lkey();
  }

  int rkey() {
    return keys.rkey();
  }

  boolean isOpen() {
    return open;
  }

  @Override
  public void close() {
    if (open) {
      open = false;
      LibIbverbs.deregisterMemory(mr);
      domain.forget(this);
    }
  }
}
