package io.railflux;

import io.railflux.engine.Engine;
import io.railflux.engine.Rail;
import io.railflux.engine.Reconnect;
import io.railflux.engine.VirtualChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.MonoSink;

/** Finds how a node may reach a peer, and says why so. */
final class Ways {

  static final String SHM = "shm";
  static final String TCP = "tcp";

  /** Of one peer; half of what a peer keeps for a session, so that lost ones can come back. */
  private static final int MOST_TARGETS = 32;

  private final Node node;
  private final boolean probing;
  private final int connectionsPerRail;

  /** @param connectionsPerRail where a rail takes more than one; empty: one, and others on trial */
  Ways(Node node, OptionalInt connectionsPerRail) {
    this.node = node;
    this.probing = connectionsPerRail.isEmpty();
    this.connectionsPerRail = connectionsPerRail.orElse(1);
  }

  /**
   * One way to a peer.
   *
   * @param targets tried in order; all of them become rails
   * @param reason why this way, for people
   */
  record Way(List<Engine.Target> targets, String reason) {}

  /** Along the addresses a user named. */
  Way along(List<Address> addresses) {
    List<Engine.Target> targets = targets(addresses);
    requireFew(targets.size());
    return new Way(targets, "the address named the fabric");
  }

  private List<Engine.Target> targets(List<Address> addresses) {
    List<Engine.Target> targets = new ArrayList<>();
    for (Address address : addresses) {
      if (address.isAuto()) {
        throw new IllegalArgumentException(
            "address '" + address + "' does not name its fabric; write for example tcp:" + address);
      }
      targets.addAll(targets(node.requireRail(address.scheme()), address.location()));
    }
    return targets;
  }

  /** A peer was reached along one of them. */
  void established(VirtualChannel channel) {
    if (probing) {
      channel.connecting().probePaths();
    }
  }

  /** Whether so many more may join. */
  boolean fit(Reconnect connecting, int more) {
    return connecting.size() + more <= MOST_TARGETS;
  }

  private void requireFew(int connections) {
    if (connections > MOST_TARGETS) {
      throw new IllegalArgumentException(connections + " connections to one peer, "
          + connectionsPerRail + " to each address, are more than " + MOST_TARGETS
          + "; name fewer addresses or lower connectionsPerRail");
    }
  }

  /** Further connections of a peer that is there; {@code sink} hears when all of them are, too. */
  void add(VirtualChannel channel, String addresses, MonoSink<Void> sink) {
    Reconnect connecting = channel.connecting();
    List<Engine.Target> targets = targets(Address.parseAll(addresses));
    for (Engine.Target target : targets) {
      if (connecting.leadsTo(target)) {
        throw new IllegalArgumentException(
            "peer '" + channel.peerName() + "' has a rail to " + target + " already");
      }
    }
    requireFew(connecting.size() + targets.size());
    AtomicInteger missing = new AtomicInteger(targets.size());
    for (Engine.Target target : targets) {
      connecting.add(target, joined -> {
        if (!joined) {
          sink.error(
              new IllegalStateException("rail " + target + " was removed before it was there"));
        } else if (missing.decrementAndGet() == 0) {
          sink.success();
        }
      });
    }
  }

  /** Gives up connections of a peer. */
  void remove(VirtualChannel channel, String addresses) {
    Reconnect connecting = channel.connecting();
    Set<Engine.Target> targets = new LinkedHashSet<>(targets(Address.parseAll(addresses)));
    for (Engine.Target target : targets) {
      if (!connecting.leadsTo(target)) {
        throw new IllegalArgumentException(
            "peer '" + channel.peerName() + "' has no rail to " + target);
      }
    }
    if (!connecting.leadsElsewhere(targets)) {
      throw new IllegalArgumentException("peer '" + channel.peerName()
          + "' would be without a rail; add another one first, or close the peer");
    }
    targets.forEach(target -> connecting.remove(target, "its user removed it"));
  }

  /** In order of preference. {@code here} tells whether the host is this one. */
  List<Way> to(HostPort to, boolean here) {
    Rail shm = node.rail(SHM);
    Rail tcp = node.requireRail(TCP);
    List<Way> ways = new ArrayList<>();
    Optional<String> name = to.sharedMemoryName();
    String whyNot = "";
    if (!here) {
      whyNot = to.host() + " is another host";
    } else if (shm == null || name.isEmpty()) {
      whyNot = "this node has no shared memory";
    } else {
      ways.add(new Way(targets(shm, name.get()), to.host() + " is this host"));
      whyNot = to.host() + " is this host, but nobody was found there in shared memory";
    }
    String host = to.host().contains(":") ? "[" + to.host() + "]" : to.host();
    ways.add(new Way(targets(tcp, host + ":" + to.port()), whyNot));
    return ways;
  }

  /** The connections to one address. */
  List<Engine.Target> targets(Rail rail, String location) {
    int count = rail.fabric().capabilities().mapped() ? 1 : connectionsPerRail;
    return Collections.nCopies(count, new Engine.Target(rail, location));
  }
}
