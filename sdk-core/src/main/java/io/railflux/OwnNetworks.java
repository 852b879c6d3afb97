package io.railflux;

import java.net.InetAddress;
import java.util.List;

/** The networks this host has interfaces in, and which addresses of peers in them are worth a rail. */
record OwnNetworks(List<OwnAddress> all) {

  /**
   * Whether an address of a peer makes another rail: it is in the network of an interface of this host that leads to
   * the peer nowhere else. Whatever a peer tells, nothing outside of these networks is connected to, nor this host.
   *
   * @param leadingTo where rails to that peer are, or are to be
   */
  boolean offer(InetAddress address, List<InetAddress> leadingTo) {
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
