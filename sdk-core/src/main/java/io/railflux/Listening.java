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
import org.jspecify.annotations.Nullable;
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
  private final Map<InetSocketAddress, Added> added = new HashMap<>();

  /** @param address effective address */
  private record Added(String address, Fabric.Listening listening) {}

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
    Address parsed = Address.parse(address);
    InetSocketAddress place = place(parsed);
    Rail rail = fabrics.requireRail(parsed.scheme());
    Fabric.Listening opened = engine.listen(rail, parsed.location());
    Added further = new Added(parsed.scheme() + ":" + opened.location(), opened);
    added.put(place, further);
    discovery.listensAt(place.getPort(), place.getAddress());
    return further.address();
  }

  /** Stops listening on an added address and announces that. */
  void removeRail(String address) {
    Address parsed = Address.parse(address);
    InetSocketAddress place = place(parsed);
    Added gone = added.remove(place);
    if (gone == null) {
      throw new IllegalArgumentException("node '" + nodeName + "' has no rail at " + address
          + "; there are " + added.values().stream().map(Added::address).toList());
    }
    gone.listening().close();
    discovery.listensNoLongerAt(place.getPort(), place.getAddress());
  }

  private static boolean isReachable(InetAddress literal) {
    // The scope selects one of several interfaces with the same address.
    boolean scoped = literal instanceof Inet6Address && literal.isLinkLocalAddress();
    return literal != null && !literal.isAnyLocalAddress() && !scoped;
  }

  private InetSocketAddress place(Address address) {
    Rail rail = fabrics.rail(address.scheme());
    boolean suits = rail == null || PathResolver.hasInterfaceAddresses(rail);
    InetSocketAddress place = address.isAuto() || !suits ? null : literalPlace(address.location());
    if (place == null) {
      throw new IllegalArgumentException(
          "'" + address + "' is no rail to add or remove; write an address of"
              + " this host and the port that peers connected to, such as tcp:10.1.0.7:4711");
    }
    return place;
  }

  /** Returns null for a location that is no address of an interface with a port. */
  private static @Nullable InetSocketAddress literalPlace(String location) {
    try {
      HostPort place = HostPort.parse(location);
      InetAddress literal = OwnAddress.literal(place.host());
      return place.port() > 0 && isReachable(literal)
          ? new InetSocketAddress(literal, place.port())
          : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
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
    if (PathResolver.hasInterfaceAddresses(rail) && inEffect.startsWith("*:")) {
      discovery.listensEverywhere(HostPort.parse(inEffect).port());
    }
    return inEffect;
  }
}
