package io.railflux;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a node can be found without naming a fabric. A node that listens at a port listens at a name in
 * shared memory as well, which processes of the same host and network namespace can derive from the
 * port.
 */
record HostPort(String host, int port) {

  private static final Path NETWORK_NAMESPACE = Path.of("/proc/self/ns/net");

  /** @throws IllegalArgumentException when it is not of that form */
  static HostPort parse(String text) {
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

  /** Text of such a place. */
  static String location(InetAddress address, int port) {
    String host = address.getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  /**
   * The name in shared memory that belongs to the port; empty where the system does not tell network
   * namespaces apart: the same port may then be somebody else's.
   */
  Optional<String> sharedMemoryName() {
    try {
      String namespace = Files.readSymbolicLink(NETWORK_NAMESPACE).toString();
      return Optional.of("port-" + port + "-net-" + namespace.replaceAll("\\D", ""));
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.empty();
    }
  }

  /** Whether the host is this one. May ask a name service, and so may block. */
  boolean isThisHost() {
    try {
      for (InetAddress address : InetAddress.getAllByName(host)) {
        if (address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null) {
          return true;
        }
      }
    } catch (IOException e) {
      // Unknown, or no interfaces to compare with: the attempt to connect will tell.
      return false;
    }
    return false;
  }
}
