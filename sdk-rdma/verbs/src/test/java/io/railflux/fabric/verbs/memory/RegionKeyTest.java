package io.railflux.fabric.verbs.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegionKeyTest {

  @ParameterizedTest
  @CsvSource({"0, 0", "4096, 1", "4294967295, -1", "4294963200, 2147483647", "17, -2147483648"})
  void addressAndRkeyRoundTrip(long address, int rkey) {
    long key = RegionKey.of(address, rkey);

    assertEquals(address, RegionKey.address(key));
    assertEquals(rkey, RegionKey.rkey(key));
  }
}
