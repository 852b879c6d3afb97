package io.railflux;

import io.railflux.engine.Rail;
import io.railflux.fabric.Fabric;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens what a node listens at. Engine thread only. */
final class Listening {

  private static final Logger LOG = LoggerFactory.getLogger(Listening.class);

  private final Node node;

  /** What {@link Node#addRail} opened, however it was spelled. */
  private final Map<InetSocketAddress, Fabric.Listening> added = new HashMap<>();

  Listening(Node node) {
    this.node = node;
  }

  /** Returns the address in effect. */
  String open(Address address) throws IOException {
    if (address.isAuto()) {
      return openEverywhere(address.location());
    }
    Rail rail = node.requireRail(address.scheme());
    return address.scheme() + ":" + listen(rail, address.location());
  }

  /** At one more address of this host, which peers are told; returns the address in effect. */
  String addRail(String address) throws IOException {
    InetSocketAddress place = place(address);
    Rail rail = node.requireRail(Ways.TCP);
    Fabric.Listening opened = node.engine().listen(rail, Address.parse(address).location());
    added.put(place, opened);
    node.discovery().listensAt(place.getPort(), place.getAddress());
    return inEffect(opened);
  }

  private static String inEffect(Fabric.Listening opened) {
    return Ways.TCP + ":" + opened.location();
  }

  /** No longer there, as peers are told. */
  void removeRail(String address) {
    InetSocketAddress place = place(address);
    Fabric.Listening opened = added.remove(place);
    if (opened == null) {
      throw new IllegalArgumentException("node '" + node.name() + "' has no rail at " + address
          + "; there are " + added.values().stream().map(Listening::inEffect).toList());
    }
    opened.close();
    node.discovery().listensNoLongerAt(place.getPort(), place.getAddress());
  }

  private static boolean isReachable(InetAddress literal) {
    // Of interfaces that have the same one, a scope tells which is meant.
    boolean scoped = literal instanceof Inet6Address && literal.isLinkLocalAddress();
    return literal != null && !literal.isAnyLocalAddress() && !scoped;
  }

  private static InetSocketAddress place(String address) {
    Address parsed = Address.parse(address);
    if (Ways.TCP.equals(parsed.scheme())) {
      HostPort place = HostPort.parse(parsed.location());
      InetAddress literal = OwnAddress.literal(place.host());
      if (place.port() > 0 && isReachable(literal)) {
        return new InetSocketAddress(literal, place.port());
      }
    }
    throw new IllegalArgumentException(
        "'" + address + "' is no rail to add or remove; write an address of"
            + " this host and the port that peers connected to, such as tcp:10.1.0.7:4711");
  }

  /** For hosts by TCP, and for this one by a name in shared memory that belongs to the port. */
  private String openEverywhere(String location) throws IOException {
    String inEffect = listen(node.requireRail(Ways.TCP), location);
    Rail shm = node.rail(Ways.SHM);
    Optional<String> name = HostPort.parse(inEffect).sharedMemoryName();
    if (shm != null && name.isPresent()) {
      try {
        listen(shm, name.get());
      } catch (IOException e) {
        LOG.warn(
            "node '{}' is found at {} over TCP only, by this host's processes too: {}",
            node.name(),
            inEffect,
            e.getMessage());
      }
    }
    return inEffect;
  }

  private String listen(Rail rail, String location) throws IOException {
    String inEffect = node.engine().listen(rail, location).location();
    if (rail.fabric().name().equals(Ways.TCP) && inEffect.startsWith("*:")) {
      node.discovery().listensEverywhere(HostPort.parse(inEffect).port());
    }
    return inEffect;
  }
}
