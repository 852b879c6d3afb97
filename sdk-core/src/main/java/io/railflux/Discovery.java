package io.railflux;

import io.railflux.engine.Engine;
import io.railflux.engine.Rail;
import io.railflux.engine.Reconnect;
import io.railflux.engine.VirtualChannel;
import java.net.InetAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.scheduler.Schedulers;

/**
 * Finds rails by itself (MR12: V 10.2): tells peers the interfaces of this host where it listens at all of them,
 * and connects to those that peers tell. What {@link Rails} leave out does not take part. Engine thread only;
 * interfaces are looked at on another one, as that may block.
 */
final class Discovery {

  private static final Logger LOG = LoggerFactory.getLogger(Discovery.class);

  /** How often interfaces are looked at: it is cheap, and one that is new is no hurry. */
  private static final long LOOK_EVERY_MILLIS = 1_000;

  /** By the connections that were found, beside those that were named. */
  private static final int MOST_FOUND = 8;

  private final Node node;
  private final Rails rails;
  private final List<VirtualChannel> accepted = new ArrayList<>();
  private final Map<VirtualChannel, Found> connected = new LinkedHashMap<>();
  private List<OwnAddress> own = List.of();
  private boolean everywhere;
  private Disposable looking;

  /** What one peer told, and which connections follow from it. */
  private static final class Found {
    private final Rail rail;
    private final int port;
    private final List<InetAddress> named = new ArrayList<>();
    private final Map<InetAddress, Engine.Target> targets = new LinkedHashMap<>();
    private List<InetAddress> told = List.of();

    /** @param named where it was connected to, all over one fabric; others are looked for at the same port */
    Found(List<Engine.Target> named, List<String> remoteHosts) {
      this.rail = named.get(0).rail();
      this.port = HostPort.parse(named.get(0).location()).port();
      named.forEach(target -> leadsTo(HostPort.parse(target.location()).host()));
      remoteHosts.forEach(this::leadsTo);
    }

    private void leadsTo(String host) {
      InetAddress address = OwnAddress.literal(host);
      if (address != null) {
        named.add(address);
      }
    }

    List<InetAddress> leadsTo() {
      List<InetAddress> all = new ArrayList<>(named);
      all.addAll(targets.keySet());
      return all;
    }

    String location(InetAddress address) {
      String host = address.getHostAddress();
      return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
  }

  Discovery(Node node, Rails rails) {
    this.node = node;
    this.rails = rails;
  }

  /** Peers may come over any interface. */
  void listensEverywhere() {
    everywhere = true;
    look();
  }

  void accepted(VirtualChannel channel) {
    if (rails.isDiscovering() && !channel.usesSharedMemory()) {
      accepted.add(channel);
      channel.onEnd(failure -> accepted.remove(channel));
      tell(channel);
    }
  }

  /** @param named where it was connected to */
  void connected(VirtualChannel channel, List<Engine.Target> named) {
    boolean overTcp =
        named.stream().allMatch(target -> target.rail().fabric().name().equals(Ways.TCP));
    if (rails.isDiscovering() && overTcp) {
      connected.put(channel, new Found(named, channel.connecting().remoteHosts()));
      channel.onEnd(failure -> connected.remove(channel));
      channel.addresses().onTold(addresses -> {
        look();
        Found found = connected.get(channel);
        if (found != null) {
          found.told = addresses;
          connect(channel, found);
        }
      });
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
      node.engine().execute(() -> looked(found));
    } catch (SocketException e) {
      // An interface that went while it was looked at: the next look tells.
      LOG.debug("node '{}' cannot look at its interfaces", node.name(), e);
    }
  }

  private void looked(List<OwnAddress> found) {
    if (!found.equals(own) && looking != null) {
      own = found;
      LOG.debug("node '{}' has {}", node.name(), own);
      List.copyOf(accepted).forEach(this::tell);
      Map.copyOf(connected).forEach(this::connect);
    }
  }

  private void tell(VirtualChannel channel) {
    if (everywhere && !own.isEmpty()) {
      channel.addresses().tell(own.stream().map(OwnAddress::address).toList());
    }
  }

  private void connect(VirtualChannel channel, Found found) {
    if (!channel.isClosing() && !found.told.isEmpty()) {
      removeGone(channel.connecting(), found);
      for (InetAddress address : found.told) {
        if (found.targets.size() < MOST_FOUND && isAnotherRail(address, found.leadsTo())) {
          List<Engine.Target> targets = node.ways().targets(found.rail, found.location(address));
          found.targets.put(address, targets.get(0));
          targets.forEach(channel.connecting()::add);
        }
      }
    }
  }

  private static void removeGone(Reconnect connecting, Found found) {
    for (InetAddress address : List.copyOf(found.targets.keySet())) {
      Engine.Target target = found.targets.get(address);
      if (!found.told.contains(address) && connecting.leadsElsewhere(List.of(target))) {
        connecting.remove(target, "the peer has that address no more");
        found.targets.remove(address);
      }
    }
  }

  /** Whether it is in the network of an interface of this host that leads to the peer nowhere else. */
  private boolean isAnotherRail(InetAddress address, List<InetAddress> leadingTo) {
    for (OwnAddress mine : own) {
      if (mine.reaches(address)) {
        return own.stream()
            .filter(other -> other.interfaceName().equals(mine.interfaceName()))
            .noneMatch(other -> leadingTo.stream().anyMatch(other::reaches));
      }
    }
    return false;
  }

  void close() {
    if (looking != null) {
      looking.dispose();
      looking = null;
    }
  }
}
