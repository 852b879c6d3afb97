package io.railflux.fabric.verbs.internal.rdmacm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.fabric.verbs.internal.NativeScope;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SockAddrTest {

  @ParameterizedTest
  @ValueSource(strings = {"192.0.2.1", "2001:db8::7", "0.0.0.0", "fe80::1"})
  void addressesRoundTrip(String text) {
    InetSocketAddress address = new InetSocketAddress(InetAddress.ofLiteral(text), 54_321);
    try (NativeScope scope = new NativeScope("test")) {
      assertEquals(address, SockAddr.read(SockAddr.of(address, scope)));
    }
  }

  @Test
  void portAndAddressAreInNetworkOrder() {
    InetSocketAddress address = new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 0x1234);
    try (NativeScope scope = new NativeScope("test")) {
      MemorySegment bytes = SockAddr.of(address, scope).asSlice(0, 8);
      assertArrayEquals(
          new byte[] {2, 0, 0x12, 0x34, (byte) 192, 0, 2, 1}, bytes.toArray(JAVA_BYTE));
    }
  }
}
