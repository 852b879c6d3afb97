package io.railflux.address;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Address of a node without a fabric. A node that listens on a port also has a name in shared memory, which processes
 * of the same host and network namespace derive from the port.
 */
public record HostPort(String host, int port) {

  private static final Path NETWORK_NAMESPACE = Path.of("/proc/self/ns/net");

  /**
   * Parses {@code host:port}.
   *
   * @throws IllegalArgumentException if the text is malformed
   */
  public static HostPort parse(String text) {
    int colon = text.lastIndexOf(':');
    try {
      String host = text.substring(0, Math.max(0, colon));
      boolean bracketed = host.startsWith("[") && host.endsWith("]");
      return new HostPort(
          bracketed ? host.substring(1, host.length() - 1) : host,
          Integer.parseInt(text.substring(colon + 1)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("address '" + text + "' is not of the form host:port", e);
    }
  }

  /** Returns the text of an address. */
  public static String location(InetAddress address, int port) {
    String host = address.getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  /**
   * Returns the name in shared memory for the port; empty if the system does not identify network namespaces, because
   * the port may then belong to another one.
   */
  public Optional<String> sharedMemoryName() {
    try {
      String namespace = Files.readSymbolicLink(NETWORK_NAMESPACE).toString();
      return Optional.of("port-" + port + "-net-" + namespace.replaceAll("\\D", ""));
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.empty();
    }
  }

  /** Whether the host is this one. May resolve the name, and so block. */
  public boolean isThisHost() {
    try {
      for (InetAddress address : InetAddress.getAllByName(host)) {
        if (address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null) {
          return true;
        }
      }
    } catch (IOException e) {
      // Unknown host, or no interfaces to compare with; the connect decides.
      return false;
    }
    return false;
  }
}
