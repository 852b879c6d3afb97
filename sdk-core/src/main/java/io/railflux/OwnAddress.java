package io.railflux;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * An address of an interface of this host.
 *
 * @param prefixBits so many leading bits tell its network
 */
record OwnAddress(String interfaceName, InetAddress address, int prefixBits) {

  /** Those of interfaces that are up, without loopback and what is of use on one link only; may block. */
  static List<OwnAddress> all() throws SocketException {
    List<OwnAddress> found = new ArrayList<>();
    for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
      if (each.isUp() && !each.isLoopback()) {
        for (InterfaceAddress address : each.getInterfaceAddresses()) {
          add(found, each.getName(), address);
        }
      }
    }
    found.sort(Comparator.comparing(OwnAddress::interfaceName)
        .thenComparingInt(own -> own.address.getAddress().length));
    return List.copyOf(found);
  }

  private static void add(List<OwnAddress> found, String name, InterfaceAddress entry) {
    InetAddress address = entry.getAddress();
    if (!address.isLinkLocalAddress() && !address.isLoopbackAddress()) {
      found.add(new OwnAddress(name, address, entry.getNetworkPrefixLength()));
    }
  }

  /** Whether the other address is in the network of this one. */
  boolean reaches(InetAddress other) {
    return share(address, other, prefixBits);
  }

  static boolean share(InetAddress one, InetAddress other, int prefixBits) {
    byte[] a = one.getAddress();
    byte[] b = other.getAddress();
    if (a.length != b.length) {
      return false;
    }
    for (int bit = 0; bit < prefixBits; bit++) {
      if (((a[bit / 8] ^ b[bit / 8]) >> (7 - bit % 8) & 1) != 0) {
        return false;
      }
    }
    return true;
  }

  /** The address of that text; null when it is a name. Asks nobody. */
  static InetAddress literal(String text) {
    byte[] bytes = NetUtil.createByteArrayFromIpAddressString(text);
    try {
      return bytes == null ? null : InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("of " + bytes.length + " bytes, which no address has", e);
    }
  }
}
