package io.railflux;

import io.railflux.address.Address;
import io.railflux.address.HostPort;
import io.railflux.address.OwnAddress;
import io.railflux.engine.Engine;
import io.railflux.engine.base.Rail;
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

/** Listeners of a node. Engine thread only. */
final class Listening {

  private static final Logger LOG = LoggerFactory.getLogger(Listening.class);

  private final String nodeName;
  private final Engine engine;
  private final OpenFabrics fabrics;
  private final Discovery discovery;

  /** Listeners of {@link Node#addRail}, by resolved address. */
  private final Map<InetSocketAddress, Fabric.Listening> added = new HashMap<>();

  Listening(String nodeName, Engine engine, OpenFabrics fabrics, Discovery discovery) {
    this.nodeName = nodeName;
    this.engine = engine;
    this.fabrics = fabrics;
    this.discovery = discovery;
  }

  /** Returns the effective address. */
  String open(Address address) throws IOException {
    if (address.isAuto()) {
      return openEverywhere(address.location());
    }
    Rail rail = fabrics.requireRail(address.scheme());
    return address.scheme() + ":" + listen(rail, address.location());
  }

  /** Listens on a further address of this host and announces it; returns the effective address. */
  String addRail(String address) throws IOException {
    InetSocketAddress place = place(address);
    Rail rail = fabrics.requireRail(PathResolver.TCP);
    Fabric.Listening opened = engine.listen(rail, Address.parse(address).location());
    added.put(place, opened);
    discovery.listensAt(place.getPort(), place.getAddress());
    return inEffect(opened);
  }

  private static String inEffect(Fabric.Listening opened) {
    return PathResolver.TCP + ":" + opened.location();
  }

  /** Stops listening on an added address and announces that. */
  void removeRail(String address) {
    InetSocketAddress place = place(address);
    Fabric.Listening opened = added.remove(place);
    if (opened == null) {
      throw new IllegalArgumentException("node '" + nodeName + "' has no rail at " + address
          + "; there are " + added.values().stream().map(Listening::inEffect).toList());
    }
    opened.close();
    discovery.listensNoLongerAt(place.getPort(), place.getAddress());
  }

  private static boolean isReachable(InetAddress literal) {
    // The scope selects one of several interfaces with the same address.
    boolean scoped = literal instanceof Inet6Address && literal.isLinkLocalAddress();
    return literal != null && !literal.isAnyLocalAddress() && !scoped;
  }

  private static InetSocketAddress place(String address) {
    Address parsed = Address.parse(address);
    if (PathResolver.TCP.equals(parsed.scheme())) {
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

  /** Listens for other hosts over TCP, and for this host at the name in shared memory that belongs to the port. */
  private String openEverywhere(String location) throws IOException {
    String inEffect = listen(fabrics.requireRail(PathResolver.TCP), location);
    Rail shm = fabrics.rail(PathResolver.SHM);
    Optional<String> name = HostPort.parse(inEffect).sharedMemoryName();
    if (shm != null && name.isPresent()) {
      try {
        listen(shm, name.get());
      } catch (IOException e) {
        LOG.warn(
            "node '{}' accepts peers at {} over TCP only, processes of this host included: {}",
            nodeName,
            inEffect,
            e.getMessage());
      }
    }
    return inEffect;
  }

  private String listen(Rail rail, String location) throws IOException {
    String inEffect = engine.listen(rail, location).location();
    if (rail.fabric().name().equals(PathResolver.TCP) && inEffect.startsWith("*:")) {
      discovery.listensEverywhere(HostPort.parse(inEffect).port());
    }
    return inEffect;
  }
}
