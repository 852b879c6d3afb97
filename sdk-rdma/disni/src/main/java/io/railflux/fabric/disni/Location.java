package io.railflux.fabric.disni;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where one listens: {@code address:port}. An IPv4 address, as DiSNI knows no others, and no name:
 * looking one up would hold the engine up. Port 0 lets the system choose when listening.
 */
final class Location {

  private static final Pattern FORM =
      Pattern.compile("(\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}):(\\d{1,5})");

  private Location() {}

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
