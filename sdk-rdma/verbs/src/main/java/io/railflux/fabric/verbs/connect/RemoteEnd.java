package io.railflux.fabric.verbs.connect;

import java.net.InetSocketAddress;

/**
 * The other end of a connection.
 *
 * @param address address with the port, which differs between connections
 * @param processId process number that the other end reported
 */
public record RemoteEnd(InetSocketAddress address, int processId) {

  /** Returns the part that is equal for all connections. */
  public String host() {
    return address.getAddress().getHostAddress();
  }

  /** Text for people. */
  @Override
  public String toString() {
    return "process " + processId + " at "
        + Location.format(address.getAddress(), address.getPort());
  }
}
