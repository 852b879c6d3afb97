package io.railflux.fabric.verbs.connect;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * {@code host:port}, or {@code host:port@source}. The source replaces the local address that the route selects, for
 * hosts with several rails in one network.
 *
 * @param host an IPv4 address, an IPv6 address (in brackets in text), a name, or {@code *}
 * @param port port; 0 selects a free port for a listener
 * @param source a local address, or null
 */
public record Location(String host, int port, String source) {

  static final String ANY = "*";

  private static final String FORM =
      "; write host:port, such as 192.0.2.1:7471 or [2001:db8::1]:7471";

  public static Location parse(String text) throws IOException {
    int at = text.indexOf('@');
    String place = at < 0 ? text : text.substring(0, at);
    String source = at < 0 ? null : text.substring(at + 1);
    int colon = place.lastIndexOf(':');
    String host = colon < 0 ? "" : place.substring(0, colon);
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    if (bracketed) {
      host = host.substring(1, host.length() - 1);
    }
    if (host.isEmpty() || (!bracketed && host.indexOf(':') >= 0)) {
      throw new IOException("'" + text + "' is no location" + FORM);
    }
    if (source != null) {
      literal(source);
    }
    return new Location(host, port(text, place.substring(colon + 1)), source);
  }

  private static int port(String text, String digits) throws IOException {
    try {
      int port = Integer.parseInt(digits);
      if (port >= 0 && port <= 65_535) {
        return port;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw new IOException("'" + text + "' has no port from 0 to 65535" + FORM);
  }

  private static InetAddress literal(String address) throws IOException {
    try {
      return InetAddress.ofLiteral(address);
    } catch (IllegalArgumentException e) {
      throw new IOException("'" + address + "' is no IP address", e);
    }
  }

  /** Whether the host must be resolved. */
  public boolean isName() {
    try {
      literal(host);
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  public boolean isAny() {
    return host.equals(ANY);
  }

  /** Returns the address to listen on; refuses names, because resolving takes time. */
  public InetSocketAddress toListenAt() throws IOException {
    return isAny()
        ? new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), port)
        : new InetSocketAddress(literal(host), port);
  }

  /** Resolves names; blocks. */
  public InetSocketAddress lookUp() throws IOException {
    return new InetSocketAddress(InetAddress.getByName(host), port);
  }

  /** Returns null if the route decides. */
  public InetSocketAddress sourceAddress() throws IOException {
    return source == null ? null : new InetSocketAddress(literal(source), 0);
  }

  public static String format(InetAddress address, int port) {
    String host = address.getHostAddress();
    return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
  }
}
