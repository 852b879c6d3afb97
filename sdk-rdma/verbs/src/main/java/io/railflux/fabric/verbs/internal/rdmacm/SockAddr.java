package io.railflux.fabric.verbs.internal.rdmacm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.railflux.fabric.verbs.internal.NativeScope;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;

/**
 * Socket addresses in the layout of {@code sockaddr_in} and {@code sockaddr_in6} of Linux.
 *
 * <pre>
 *     0        2        4                 8                          24
 *    +--------+--------+-----------------+--------------------------+----------+
 *    | family | port   | IPv4 address    |                          |          |  family 2
 *    | family | port   | flow            | IPv6 address             | scope    |  family 10
 *    +--------+--------+-----------------+--------------------------+----------+
 * </pre>
 *
 * Family and scope are in host order; the other members are in network order.
 */
public final class SockAddr {

  static final int STORAGE_BYTES = 128;

  private static final short AF_INET = 2;
  private static final short AF_INET6 = 10;
  private static final ValueLayout.OfShort PORT =
      JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final long PORT_OFFSET = 2;
  private static final long ADDRESS_4 = 4;
  private static final long ADDRESS_6 = 8;
  private static final long SCOPE_6 = 24;

  private SockAddr() {}

  /**
   * Converts an address.
   *
   * @param address resolved
   */
  public static MemorySegment of(InetSocketAddress address, NativeScope scope) {
    MemorySegment storage = scope.allocate(STORAGE_BYTES, Long.BYTES);
    byte[] bytes = address.getAddress().getAddress();
    boolean six = bytes.length == 16;
    storage.set(JAVA_SHORT_UNALIGNED, 0, six ? AF_INET6 : AF_INET);
    storage.set(PORT, PORT_OFFSET, (short) address.getPort());
    MemorySegment.copy(bytes, 0, storage, JAVA_BYTE, six ? ADDRESS_6 : ADDRESS_4, bytes.length);
    if (address.getAddress() instanceof Inet6Address inet6) {
      storage.set(JAVA_INT_UNALIGNED, SCOPE_6, inet6.getScopeId());
    }
    return storage;
  }

  /** Returns port 0 of the unspecified address if no address is set. */
  static InetSocketAddress read(MemorySegment storage) {
    short family = storage.get(JAVA_SHORT_UNALIGNED, 0);
    int port = Short.toUnsignedInt(storage.get(PORT, PORT_OFFSET));
    boolean six = family == AF_INET6;
    byte[] bytes = storage.asSlice(six ? ADDRESS_6 : ADDRESS_4, six ? 16 : 4).toArray(JAVA_BYTE);
    try {
      return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address has 4 or 16 bytes", e);
    }
  }
}
