package io.railflux;

import io.railflux.address.HostPort;
import io.railflux.address.OwnAddress;
import io.railflux.address.OwnNetworks;
import io.railflux.engine.Engine;
import io.railflux.engine.base.Rail;
import io.railflux.engine.connect.Reconnect;
import io.railflux.engine.connect.Redials;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.wire.AddressesFrame;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.scheduler.Schedulers;

/**
 * Discovers rails (MR12: V 10.2): announces the interfaces of this host to peers if the node listens on all of them,
 * and connects to announced addresses of peers. A node with the higher id uses the announcements to restore a lost
 * connection (FT4). Interfaces that {@link Rails} excludes do not take part. Engine thread only, except reading
 * interfaces, which may block.
 */
final class Discovery {

  private static final Logger LOG = LoggerFactory.getLogger(Discovery.class);

  /** Interval for reading interfaces, and for new connections to announced addresses, in milliseconds. */
  private static final long READ_INTERVAL_MILLIS = 1_000;

  /** Largest number per peer of discovered addresses, and of ports that it announces. */
  private static final int MAX_FOUND = 8;

  /** Largest number of addresses of this host, including former ones. */
  private static final int MAX_REMEMBERED = 64;

  private final String nodeName;
  private final Engine engine;
  private final PathResolver paths;
  private final Rails rails;
  private final List<VirtualChannel> accepted = new ArrayList<>();
  private final Map<VirtualChannel, Found> connected = new LinkedHashMap<>();
  private final Set<Integer> portsEverywhere = new TreeSet<>();
  private final Map<Integer, Set<InetAddress>> added = new TreeMap<>();
  private final Set<OwnAddress> latest = new LinkedHashSet<>();
  private List<OwnAddress> own = List.of();
  private Disposable reading;

  // Written by the reading thread and the engine thread: the last result, and whether it must be
  // evaluated again.
  private volatile List<OwnAddress> seen = List.of();
  private volatile boolean announcementsChanged;

  /** Announcements of one peer, and the resulting connections. */
  private static final class Found {
    private final Rail rail;
    private final int port;
    private final Map<InetAddress, Rail.Target> targets = new LinkedHashMap<>();
    private List<InetAddress> announced = List.of();

    Found(Rail rail, int port) {
      this.rail = rail;
      this.port = port;
    }
  }

  /** Announced listening ports of a peer that connected to this node. Engine thread only. */
  private static final class PeerPorts {

    private final Map<Integer, List<InetAddress>> announced = new TreeMap<>();

    void announced(AddressesFrame frame) {
      announced.remove(frame.port());
      if (!frame.addresses().isEmpty() && announced.size() < MAX_FOUND) {
        announced.put(frame.port(), frame.addresses());
      }
    }

    /**
     * Returns the listening address of the peer on {@code host}; null without an announcement. Announcements for other
     * hosts are ignored.
     */
    String location(Rail rail, String host) {
      InetAddress address = OwnAddress.literal(host);
      if (address == null || !PathResolver.hasInterfaceAddresses(rail)) {
        return null;
      }
      return announced.entrySet().stream()
          .filter(entry -> entry.getValue().contains(address))
          .map(entry -> HostPort.location(address, entry.getKey()))
          .findFirst()
          .orElse(null);
    }
  }

  Discovery(String nodeName, Engine engine, PathResolver paths, Rails rails) {
    this.nodeName = nodeName;
    this.engine = engine;
    this.paths = paths;
    this.rails = rails;
  }

  /** Peers may connect to the port over any interface. */
  void listensEverywhere(int port) {
    portsEverywhere.add(port);
    startReading();
  }

  /** Peers may connect to the port at a further address. */
  void listensAt(int port, InetAddress address) {
    added.computeIfAbsent(port, p -> new LinkedHashSet<>()).add(address);
    announceAll();
  }

  /** Peers may no longer connect to the port at the address. */
  void listensNoLongerAt(int port, InetAddress address) {
    added.get(port).remove(address);
    announceAll();
  }

  void accepted(VirtualChannel channel) {
    accepted.add(channel);
    channel.onEnd(failure -> accepted.remove(channel));
    announce(channel);
    if (rails.isDiscovering()) {
      PeerPorts ports = new PeerPorts();
      channel.addresses().onAnnounced(frame -> {
        LOG.debug(
            "node '{}' received the addresses of {}: {}", nodeName, channel.description(), frame);
        ports.announced(frame);
      });
      Redials.of(channel).peerListens(ports::location);
    }
  }

  /** @param named addresses of the connect; others are discovered at the port of the first one whose fabric has addresses of
   *     interfaces */
  void connected(VirtualChannel channel, List<Rail.Target> named) {
    Rail.Target first = named.stream()
        .filter(target -> PathResolver.hasInterfaceAddresses(target.rail()))
        .findFirst()
        .orElse(named.get(0));
    Rail rail = first.rail();
    int port = port(first.location());
    if (rails.isDiscovering() && PathResolver.hasInterfaceAddresses(rail) && port > 0) {
      connected.put(channel, new Found(rail, port));
      channel.onEnd(failure -> connected.remove(channel));
      channel.addresses().onAnnounced(frame -> announced(channel, frame));
      announce(channel);
      Reconnect.of(channel).peerRedials(this::isReachedFrom);
    }
  }

  private void announced(VirtualChannel channel, AddressesFrame frame) {
    Found found = connected.get(channel);
    if (found != null && found.port == frame.port()) {
      found.announced = frame.addresses();
      announcementsChanged = true;
      startReading();
    }
  }

  private static int port(String location) {
    try {
      return HostPort.parse(location).port();
    } catch (IllegalArgumentException e) {
      return 0;
    }
  }

  private void startReading() {
    if (rails.isDiscovering() && reading == null) {
      reading = Schedulers.boundedElastic()
          .schedulePeriodically(
              this::readInterfaces, 0, READ_INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void readInterfaces() {
    try {
      List<OwnAddress> found = OwnAddress.all().stream().filter(rails::takes).toList();
      if (announcementsChanged || !found.equals(seen)) {
        announcementsChanged = false;
        seen = found;
        engine.execute(() -> onInterfaces(found));
      }
    } catch (IOException | RuntimeException e) {
      // An interface disappeared during the read; the next read corrects it.
      LOG.debug("node '{}' cannot list its interfaces", nodeName, e);
    }
  }

  private void onInterfaces(List<OwnAddress> found) {
    if (reading != null) {
      own = found;
      remember(found);
      LOG.debug("node '{}' has {}", nodeName, own);
      announceAll();
      Map.copyOf(connected).forEach(this::connect);
    }
  }

  private void remember(List<OwnAddress> found) {
    latest.removeAll(found);
    latest.addAll(found);
    Iterator<OwnAddress> oldest = latest.iterator();
    while (latest.size() > MAX_REMEMBERED) {
      oldest.next();
      oldest.remove();
    }
  }

  /**
   * Whether this node connected to the peer at {@code host} from an announced address. A removed address, for example
   * of a pulled cable, may have been announced too.
   */
  private boolean isReachedFrom(Rail rail, String host) {
    InetAddress peer = OwnAddress.literal(host);
    return PathResolver.hasInterfaceAddresses(rail)
        && !portsEverywhere.isEmpty()
        && peer != null
        && latest.stream().anyMatch(address -> address.reaches(peer));
  }

  private void announceAll() {
    List.copyOf(accepted).forEach(this::announce);
    List.copyOf(connected.keySet()).forEach(this::announce);
  }

  private void announce(VirtualChannel channel) {
    Set<Integer> ports = new TreeSet<>(added.keySet());
    if (!own.isEmpty()) {
      ports.addAll(portsEverywhere);
    }
    ports.forEach(port -> channel.addresses().announce(port, addresses(port)));
  }

  private List<InetAddress> addresses(int port) {
    Set<InetAddress> all = new LinkedHashSet<>(added.getOrDefault(port, Set.of()));
    if (portsEverywhere.contains(port)) {
      own.forEach(address -> all.add(address.address()));
    }
    return List.copyOf(all);
  }

  private void connect(VirtualChannel channel, Found found) {
    if (channel.isClosing() || channel.isClosed()) {
      return;
    }
    Reconnect connecting = Reconnect.of(channel);
    removeGone(connecting, found);
    for (InetAddress address : found.announced) {
      List<Rail.Target> targets = paths.targets(found.rail, HostPort.location(address, found.port));
      if (!connecting.wasRemoved(targets.get(0))
          && found.targets.size() < MAX_FOUND
          && paths.fit(connecting, targets.size())
          && new OwnNetworks(own).offer(address, leadingTo(connecting))) {
        found.targets.put(address, targets.get(0));
        targets.forEach(connecting::add);
      }
    }
  }

  private void removeGone(Reconnect connecting, Found found) {
    for (InetAddress address : List.copyOf(found.targets.keySet())) {
      Rail.Target target = found.targets.get(address);
      if (found.announced.contains(address)) {
        continue;
      }
      if (connecting.leadsElsewhere(List.of(target))) {
        connecting.remove(target, "the peer no longer has this address");
        connecting.forgetRemoved(target);
        found.targets.remove(address);
      } else {
        announcementsChanged = true;
      }
    }
  }

  /** Addresses of present and planned rails. */
  private static List<InetAddress> leadingTo(Reconnect connecting) {
    Stream<String> hosts = Stream.concat(
        connecting.remoteHosts().stream(),
        connecting.targets().stream().map(target -> host(target.location())));
    return hosts.map(OwnAddress::literal).filter(address -> address != null).toList();
  }

  private static String host(String location) {
    String remote = location.substring(0, (location + "@").indexOf('@'));
    return port(remote) > 0 ? HostPort.parse(remote).host() : "";
  }

  void close() {
    if (reading != null) {
      reading.dispose();
      reading = null;
    }
  }
}
