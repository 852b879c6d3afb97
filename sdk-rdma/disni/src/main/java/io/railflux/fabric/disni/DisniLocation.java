package io.railflux.fabric.disni;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code address:port}. The address is an IPv4 address, because DiSNI supports no others, and not a name, because
 * resolving it would block the engine. Port 0 selects a free port for listeners.
 */
final class DisniLocation {

  private static final Pattern FORM =
      Pattern.compile("(\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}):(\\d{1,5})");

  private DisniLocation() {}

  static InetSocketAddress parse(String location) throws IOException {
    Matcher matcher = FORM.matcher(location);
    if (matcher.matches()) {
      InetAddress address = address(matcher.group(1));
      int port = Integer.parseInt(matcher.group(2));
      if (address != null && !address.isAnyLocalAddress() && port <= 0xFFFF) {
        return new InetSocketAddress(address, port);
      }
    }
    throw new IOException("'" + location + "' is not the IPv4 address of an RDMA interface and a"
        + " port, as in 10.0.0.1:7471");
  }

  private static InetAddress address(String dotted) throws IOException {
    byte[] bytes = new byte[4];
    String[] parts = dotted.split("\\.", -1);
    for (int i = 0; i < bytes.length; i++) {
      int part = Integer.parseInt(parts[i]);
      if (part > 255) {
        return null;
      }
      bytes[i] = (byte) part;
    }
    return InetAddress.getByAddress(bytes);
  }

  static String text(InetSocketAddress address) {
    return address.getAddress().getHostAddress() + ":" + address.getPort();
  }
}
