package io.railflux.fabric.tcp;

import io.netty.util.NetUtil;
import io.railflux.fabric.Protection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * {@code host:port}. The host is a name, an IPv4 address, an IPv6 address in brackets, or {@code *} for every
 * interface of this host.
 */
record TcpLocation(String host, int port) {

  private static final String EVERY_INTERFACE = "*";
  private static final String LOCALHOST = "localhost";
  private static final int MAX_PORT = 0xFFFF;

  static TcpLocation parse(String text) throws IOException {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "" : text.substring(0, colon);
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    if (host.isEmpty() || (host.contains(":") && !bracketed)) {
      throw malformed(text, "it is not of the form host:port");
    }
    int port = port(text, text.substring(colon + 1));
    return new TcpLocation(bracketed ? host.substring(1, host.length() - 1) : host, port);
  }

  private static int port(String text, String digits) throws IOException {
    try {
      int port = Integer.parseInt(digits);
      if (port >= 0 && port <= MAX_PORT) {
        return port;
      }
    } catch (NumberFormatException e) {
      // Reported below, with the whole location.
    }
    throw malformed(text, "'" + digits + "' is no port of 0 to " + MAX_PORT);
  }

  private static IOException malformed(String text, String why) {
    return new IOException("location '" + text + "' is malformed: " + why
        + "; write for example 10.0.0.7:4711, [::1]:4711, *:4711 or db.example.org:4711");
  }

  /** Returns the address without name resolution; null for a name. */
  InetAddress literal() {
    byte[] bytes = NetUtil.createByteArrayFromIpAddressString(host);
    try {
      return bytes == null ? null : InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("of " + bytes.length + " bytes, which no address has", e);
    }
  }

  /** Resolves the name; may block. */
  List<InetAddress> lookUp() throws UnknownHostException {
    return List.of(InetAddress.getAllByName(host));
  }

  /** Returns the address to listen on. A name is resolved at once and should be in the hosts file. */
  InetSocketAddress toBind() throws IOException {
    if (host.equals(EVERY_INTERFACE)) {
      return new InetSocketAddress(port);
    }
    InetAddress literal = literal();
    return new InetSocketAddress(literal != null ? literal : lookUp().get(0), port);
  }

  /** Returns the protection of connections accepted here. */
  Protection protection() {
    InetAddress literal = literal();
    if (literal != null) {
      return protection(literal);
    }
    return host.equals(LOCALHOST) ? Protection.LOOPBACK : Protection.NONE;
  }

  static Protection protection(InetAddress address) {
    return address.isLoopbackAddress() ? Protection.LOOPBACK : Protection.NONE;
  }

  TcpLocation withPort(int chosen) {
    return new TcpLocation(host, chosen);
  }

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
