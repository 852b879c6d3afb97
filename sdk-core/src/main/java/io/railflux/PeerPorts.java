package io.railflux;

import io.railflux.address.HostPort;
import io.railflux.address.OwnAddress;
import io.railflux.engine.base.Rail;
import io.railflux.wire.AddressesFrame;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Announced listening ports of a peer that connected to this node. Engine thread only. */
final class PeerPorts {

  private static final int MOST = 8;

  private final Map<Integer, List<InetAddress>> told = new TreeMap<>();

  void told(AddressesFrame frame) {
    told.remove(frame.port());
    if (!frame.addresses().isEmpty() && told.size() < MOST) {
      told.put(frame.port(), frame.addresses());
    }
  }

  /**
   * Returns the listening address on a host that the peer came from; null without an announcement. Announcements for
   * other hosts are ignored.
   */
  String location(Rail rail, String host) {
    InetAddress address = OwnAddress.literal(host);
    if (address == null || !PathResolver.hasInterfaceAddresses(rail)) {
      return null;
    }
    return told.entrySet().stream()
        .filter(entry -> entry.getValue().contains(address))
        .map(entry -> HostPort.location(address, entry.getKey()))
        .findFirst()
        .orElse(null);
  }
}
