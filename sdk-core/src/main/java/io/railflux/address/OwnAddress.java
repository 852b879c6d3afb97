package io.railflux.address;

import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An address of an interface of this host.
 *
 * @param prefixBits length of the network prefix
 */
public record OwnAddress(String interfaceName, InetAddress address, int prefixBits) {

  private static final String OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";

  private static final Pattern DOTTED = Pattern.compile(OCTET + "(?:\\." + OCTET + "){3}");

  /** Returns the addresses of interfaces that are up, without loopback and link-local addresses; may block. */
  public static List<OwnAddress> all() throws SocketException {
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
  public boolean reaches(InetAddress other) {
    return share(address, other, prefixBits);
  }

  public static boolean share(InetAddress one, InetAddress other, int prefixBits) {
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

  /** Returns the address of the text; null for a name. Does not resolve names. */
  public static @Nullable InetAddress literal(String text) {
    boolean six = text.indexOf(':') >= 0;
    if (!six && !DOTTED.matcher(text).matches()) {
      return null;
    }
    try {
      // Brackets permit only literals.
      return InetAddress.getByName(six && !text.startsWith("[") ? "[" + text + "]" : text);
    } catch (UnknownHostException e) {
      return null;
    }
  }
}
