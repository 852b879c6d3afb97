package io.railflux;

import io.railflux.engine.Engine;
import io.railflux.engine.Rail;
import io.railflux.engine.Reconnect;
import io.railflux.engine.VirtualChannel;
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
 * Finds rails by itself (MR12: V 10.2): tells peers the interfaces of this host where it listens at all of them,
 * and connects to those that peers tell. Who was connected to learns by that where to make a connection anew that was
 * lost, if it has the higher id (FT4). What {@link Rails} leave out does not take part. Engine thread only, but for the
 * looks at interfaces, which may block.
 */
final class Discovery {

  private static final Logger LOG = LoggerFactory.getLogger(Discovery.class);

  /** How often interfaces are looked at; and how often peers may have connections made by what they tell. */
  private static final long LOOK_EVERY_MILLIS = 1_000;

  /** Addresses of one peer, beside those that were named. */
  private static final int MOST_FOUND = 8;

  /** Of this host, those that are gone among them. */
  private static final int MOST_REMEMBERED = 64;

  private final Node node;
  private final Rails rails;
  private final List<VirtualChannel> accepted = new ArrayList<>();
  private final Map<VirtualChannel, Found> connected = new LinkedHashMap<>();
  private final Set<Integer> portsEverywhere = new TreeSet<>();
  private final Map<Integer, Set<InetAddress>> added = new TreeMap<>();
  private final Set<OwnAddress> latest = new LinkedHashSet<>();
  private List<OwnAddress> own = List.of();
  private Disposable looking;

  // Written by the looking thread and the engine's: what was seen last, and whether that matters
  // anew.
  private volatile List<OwnAddress> seen = List.of();
  private volatile boolean heardOfOthers;

  /** What one peer told, and which connections follow from it. */
  private static final class Found {
    private final Rail rail;
    private final int port;
    private final Map<InetAddress, Engine.Target> targets = new LinkedHashMap<>();
    private List<InetAddress> told = List.of();

    Found(Rail rail, int port) {
      this.rail = rail;
      this.port = port;
    }
  }

  Discovery(Node node, Rails rails) {
    this.node = node;
    this.rails = rails;
  }

  /** Peers may come to that port over any interface. */
  void listensEverywhere(int port) {
    portsEverywhere.add(port);
    look();
  }

  /** Peers may come to that port at one more address. */
  void listensAt(int port, InetAddress address) {
    added.computeIfAbsent(port, p -> new LinkedHashSet<>()).add(address);
    tellAll();
  }

  /** They may not any more. */
  void listensNoLongerAt(int port, InetAddress address) {
    added.get(port).remove(address);
    tellAll();
  }

  void accepted(VirtualChannel channel) {
    accepted.add(channel);
    channel.onEnd(failure -> accepted.remove(channel));
    tell(channel);
    if (rails.isDiscovering()) {
      PeerPorts ports = new PeerPorts();
      channel.addresses().onTold(frame -> {
        LOG.debug(
            "node '{}' hears where {} listens: {}", node.name(), channel.description(), frame);
        ports.told(frame);
      });
      channel.addresses().redials().peerListens(ports::location);
    }
  }

  /** @param named where it was connected to; others are looked for at the port of the first over TCP */
  void connected(VirtualChannel channel, List<Engine.Target> named) {
    Engine.Target first = named.stream()
        .filter(target -> target.rail().fabric().name().equals(Ways.TCP))
        .findFirst()
        .orElse(named.get(0));
    Rail rail = first.rail();
    int port = port(first.location());
    if (rails.isDiscovering() && rail.fabric().name().equals(Ways.TCP) && port > 0) {
      connected.put(channel, new Found(rail, port));
      channel.onEnd(failure -> connected.remove(channel));
      channel.addresses().onTold(frame -> told(channel, frame));
      tell(channel);
      channel.connecting().peerRedials(this::isComeFrom);
    }
  }

  private void told(VirtualChannel channel, AddressesFrame frame) {
    Found found = connected.get(channel);
    if (found != null && found.port == frame.port()) {
      found.told = frame.addresses();
      heardOfOthers = true;
      look();
    }
  }

  private static int port(String location) {
    try {
      return HostPort.parse(location).port();
    } catch (IllegalArgumentException e) {
      return 0;
    }
  }

  private void look() {
    if (rails.isDiscovering() && looking == null) {
      looking = Schedulers.boundedElastic()
          .schedulePeriodically(this::lookAside, 0, LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void lookAside() {
    try {
      List<OwnAddress> found = OwnAddress.all().stream().filter(rails::takes).toList();
      if (heardOfOthers || !found.equals(seen)) {
        heardOfOthers = false;
        seen = found;
        node.engine().execute(() -> looked(found));
      }
    } catch (IOException | RuntimeException e) {
      // An interface that went while it was looked at: the next look tells.
      LOG.debug("node '{}' cannot look at its interfaces", node.name(), e);
    }
  }

  private void looked(List<OwnAddress> found) {
    if (looking != null) {
      own = found;
      remember(found);
      LOG.debug("node '{}' has {}", node.name(), own);
      tellAll();
      Map.copyOf(connected).forEach(this::connect);
    }
  }

  private void remember(List<OwnAddress> found) {
    latest.removeAll(found);
    latest.addAll(found);
    Iterator<OwnAddress> oldest = latest.iterator();
    while (latest.size() > MOST_REMEMBERED) {
      oldest.next();
      oldest.remove();
    }
  }

  /**
   * Whether a peer there saw this node come from an address it was told: one that is gone, as with its cable, may have been
   * told as well.
   */
  private boolean isComeFrom(Rail rail, String host) {
    InetAddress peer = OwnAddress.literal(host);
    return rail.fabric().name().equals(Ways.TCP)
        && !portsEverywhere.isEmpty()
        && peer != null
        && latest.stream().anyMatch(address -> address.reaches(peer));
  }

  private void tellAll() {
    List.copyOf(accepted).forEach(this::tell);
    List.copyOf(connected.keySet()).forEach(this::tell);
  }

  private void tell(VirtualChannel channel) {
    Set<Integer> ports = new TreeSet<>(added.keySet());
    if (!own.isEmpty()) {
      ports.addAll(portsEverywhere);
    }
    ports.forEach(port -> channel.addresses().tell(port, addresses(port)));
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
    Reconnect connecting = channel.connecting();
    removeGone(connecting, found);
    for (InetAddress address : found.told) {
      List<Engine.Target> targets =
          node.ways().targets(found.rail, HostPort.location(address, found.port));
      if (!connecting.wasRemoved(targets.get(0))
          && found.targets.size() < MOST_FOUND
          && node.ways().fit(connecting, targets.size())
          && new OwnNetworks(own).offer(address, leadingTo(connecting))) {
        found.targets.put(address, targets.get(0));
        targets.forEach(connecting::add);
      }
    }
  }

  private void removeGone(Reconnect connecting, Found found) {
    for (InetAddress address : List.copyOf(found.targets.keySet())) {
      Engine.Target target = found.targets.get(address);
      if (found.told.contains(address)) {
        continue;
      }
      if (connecting.leadsElsewhere(List.of(target))) {
        connecting.remove(target, "the peer has that address no more");
        connecting.forgetRemoved(target);
        found.targets.remove(address);
      } else {
        heardOfOthers = true;
      }
    }
  }

  /** Where rails are, and where they are to be. */
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
    if (looking != null) {
      looking.dispose();
      looking = null;
    }
  }
}
