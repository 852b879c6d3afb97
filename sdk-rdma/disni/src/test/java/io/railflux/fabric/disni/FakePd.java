package io.railflux.fabric.disni;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvPd;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A protection domain and the memory registered in it. Guarded by the fake. */
final class FakePd extends IbvPd {

  private final List<FakeMr> regions = new ArrayList<>();
  int queuePairs;

  FakePd(IbvContext context) throws IOException {
    super(context);
  }

  void add(FakeMr region) {
    regions.add(region);
  }

  void remove(FakeMr region) {
    regions.remove(region);
  }

  boolean isInUse() {
    return !regions.isEmpty() || queuePairs > 0;
  }

  /** Returns the region of a key if it permits all {@code rights} in the range, or null. */
  FakeMr find(int key, long address, int bytes, int rights) {
    for (FakeMr region : regions) {
      if (region.getLkey() == key) {
        return region.allows(address, bytes, rights) ? region : null;
      }
    }
    return null;
  }
}
