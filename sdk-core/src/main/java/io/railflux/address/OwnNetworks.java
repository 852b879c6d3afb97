package io.railflux.address;

import java.net.InetAddress;
import java.util.List;

/** Networks of the interfaces of this host; selects addresses of peers that become rails. */
public record OwnNetworks(List<OwnAddress> all) {

  /**
   * Whether an address of a peer becomes a rail: it is in the network of an interface of this host without another
   * rail to the peer. Announced addresses outside these networks, and addresses of this host, are never used.
   *
   * @param leadingTo addresses of present and planned rails to the peer
   */
  public boolean offer(InetAddress address, List<InetAddress> leadingTo) {
    boolean onThisHost = all.stream().anyMatch(own -> own.address().equals(address))
        || leadingTo.stream().anyMatch(InetAddress::isLoopbackAddress);
    if (onThisHost || leadingTo.contains(address)) {
      return false;
    }
    return all.stream()
        .filter(own -> own.reaches(address))
        .findFirst()
        .filter(own -> !isUsed(own.interfaceName(), leadingTo))
        .isPresent();
  }

  private boolean isUsed(String interfaceName, List<InetAddress> leadingTo) {
    return all.stream()
        .filter(own -> own.interfaceName().equals(interfaceName))
        .anyMatch(own -> leadingTo.stream().anyMatch(own::reaches));
  }
}
