package io.railflux.fabric.disni.memory;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.SVCRegMr;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory that the queue pair of one endpoint may access. Each endpoint has its own domain, so a key has no meaning
 * for other peers. Engine thread only.
 */
public final class DisniProtectionDomain {

  private static final Logger LOG = LoggerFactory.getLogger(DisniProtectionDomain.class);

  private final IbvPd pd;
  private final List<MemoryRegion> regions = new ArrayList<>();

  public DisniProtectionDomain(IbvContext context) throws IOException {
    pd = context.allocPd();
  }

  public IbvPd pd() {
    return pd;
  }

  /**
   * Pins the whole capacity of a direct buffer, which stays the property of the caller and must outlive the region.
   *
   * @param access flags of {@link IbvMr}
   * @throws IOException for example at the limit of locked memory
   */
  public MemoryRegion register(ByteBuffer memory, int access) throws IOException {
    SVCRegMr call = pd.regMr(memory, access);
    try {
      MemoryRegion region = new MemoryRegion(this, call.execute().getMr());
      regions.add(region);
      return region;
    } finally {
      call.free();
    }
  }

  void deregister(MemoryRegion region, IbvMr mr) {
    regions.remove(region);
    try {
      mr.deregMr().execute().free();
    } catch (IOException e) {
      LOG.warn("a memory region was not deregistered: {}", e.getMessage());
    }
  }

  /** Must follow the close of the queue pair. */
  public void close() {
    new ArrayList<>(regions).forEach(MemoryRegion::close);
    try {
      pd.deallocPd();
    } catch (Exception e) {
      LOG.warn("a protection domain was not released: {}", e.getMessage());
    }
  }
}
