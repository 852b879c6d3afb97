package io.railflux.fabric.disni.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class DisniRegionKeyTest {

  @Test
  void carriesAddressAndKey() {
    for (long address : new long[] {0x10000L, 0x7FFF_FFFF_0000L, 0x5555_1234_0000L}) {
      for (int remoteKey : new int[] {0, 1, -1, Integer.MIN_VALUE}) {
        long key = DisniRegionKey.of(address, remoteKey);
        assertEquals(address, DisniRegionKey.address(key));
        assertEquals(remoteKey, DisniRegionKey.remoteKey(key));
      }
    }
  }

  @Test
  void rejectsValuesThatDoNotFit() {
    for (long address : new long[] {0x10001L, 1L << 47, -0x10000L}) {
      assertThrows(IllegalArgumentException.class, () -> DisniRegionKey.of(address, 1));
    }
  }
}
