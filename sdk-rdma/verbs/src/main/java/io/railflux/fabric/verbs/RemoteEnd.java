package io.railflux.fabric.verbs;

import java.net.InetSocketAddress;

/**
 * Who is at the other end of a connection.
 *
 * @param address with the port, which each connection has another
 * @param processId as the other end tells it
 */
record RemoteEnd(InetSocketAddress address, int processId) {

  /** What stays the same from one connection to the next. */
  String host() {
    return address.getAddress().getHostAddress();
  }

  /** For messages to people. */
  @Override
  public String toString() {
    return "process " + processId + " at "
        + Location.format(address.getAddress(), address.getPort());
  }
}
