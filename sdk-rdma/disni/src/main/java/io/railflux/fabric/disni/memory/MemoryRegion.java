package io.railflux.fabric.disni.memory;

import com.ibm.disni.verbs.IbvMr;

/** Memory registered in one protection domain. Engine thread only. */
public final class MemoryRegion {

  private final DisniProtectionDomain domain;
  private final IbvMr mr;
  private boolean open = true;

  MemoryRegion(DisniProtectionDomain domain, IbvMr mr) {
    this.domain = domain;
    this.mr = mr;
  }

  DisniProtectionDomain domain() {
    return domain;
  }

  public long address() {
    return mr.getAddr();
  }

  public int localKey() {
    return mr.getLkey();
  }

  int remoteKey() {
    return mr.getRkey();
  }

  boolean isOpen() {
    return open;
  }

  /** Idempotent; its keys then have no meaning. */
  void close() {
    if (open) {
      open = false;
      domain.deregister(this, mr);
    }
  }
}
