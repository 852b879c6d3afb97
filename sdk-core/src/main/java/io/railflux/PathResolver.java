package io.railflux;

import io.railflux.address.Address;
import io.railflux.address.HostPort;
import io.railflux.engine.base.Rail;
import io.railflux.engine.connect.ProbedPaths;
import io.railflux.engine.connect.Reconnect;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Capabilities.Feature;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.MonoSink;

/** Chooses the targets over which a node connects to a peer, with the reasons. */
final class PathResolver {

  static final String SHM = "shm";
  static final String TCP = "tcp";

  /** Largest number per peer; half the limit of a session, so that lost ones can be restored. */
  private static final int MAX_TARGETS = 32;

  private final OpenFabrics fabrics;
  private final boolean probing;
  private final int connectionsPerRail;

  /** @param connectionsPerRail fixed number of connections; empty for one and further ones by trial */
  PathResolver(OpenFabrics fabrics, OptionalInt connectionsPerRail) {
    this.fabrics = fabrics;
    this.probing = connectionsPerRail.isEmpty();
    this.connectionsPerRail = connectionsPerRail.orElse(1);
  }

  /**
   * A choice of targets for one peer.
   *
   * @param targets race in this order; all of them become rails
   * @param reason reason for the choice, as text for people
   */
  record Choice(List<Rail.Target> targets, String reason) {}

  /** Whether peers can be reached at each interface, and announce these addresses. */
  static boolean hasInterfaceAddresses(Rail rail) {
    return rail.fabric().capabilities().has(Feature.INTERFACE_ADDRESSES);
  }

  /**
   * Refuses addresses of the user to which no attempt can ever connect.
   *
   * @throws IllegalArgumentException for an address or a combination that is no destination
   * @throws FabricUnavailableException if the node has not opened a fabric
   */
  void requireDestination(List<Address> addresses) {
    if (addresses.size() == 1 && addresses.get(0).isAuto()) {
      addresses.get(0).requireDestination();
      fabrics.requireRail(TCP);
    } else {
      chosen(addresses);
    }
  }

  /** Returns the choice of the addresses of the user. */
  Choice chosen(List<Address> addresses) {
    List<Rail.Target> targets = targets(addresses);
    requireFew(targets.size());
    return new Choice(targets, "the address named the fabric");
  }

  private List<Rail.Target> targets(List<Address> addresses) {
    List<Rail.Target> targets = new ArrayList<>();
    for (Address address : addresses) {
      if (address.isAuto()) {
        throw new IllegalArgumentException(
            "address '" + address + "' does not name its fabric; write for example tcp:" + address);
      }
      address.requireDestination();
      targets.addAll(targets(fabrics.requireRail(address.scheme()), address.location()));
    }
    return targets;
  }

  /** A choice reached a peer. */
  void established(VirtualChannel channel) {
    if (probing) {
      ProbedPaths.begin(channel);
    }
  }

  /** Whether {@code more} further connections may join. */
  boolean fit(Reconnect connecting, int more) {
    return connecting.size() + more <= MAX_TARGETS;
  }

  private void requireFew(int connections) {
    if (connections > MAX_TARGETS) {
      throw new IllegalArgumentException(connections + " connections to one peer, "
          + connectionsPerRail + " to each address, are more than " + MAX_TARGETS
          + "; name fewer addresses or lower connectionsPerRail");
    }
  }

  /** Adds connections to an existing peer; {@code sink} completes when all of them are connected. */
  void add(VirtualChannel channel, String addresses, MonoSink<Void> sink) {
    Reconnect connecting = Reconnect.of(channel);
    List<Rail.Target> targets = targets(Address.parseAll(addresses));
    for (Rail.Target target : targets) {
      if (connecting.leadsTo(target)) {
        throw new IllegalArgumentException(
            "peer '" + channel.peerName() + "' has a rail to " + target + " already");
      }
    }
    requireFew(connecting.size() + targets.size());
    AtomicInteger missing = new AtomicInteger(targets.size());
    for (Rail.Target target : targets) {
      connecting.add(target, joined -> {
        if (!joined) {
          sink.error(
              new IllegalStateException("rail " + target + " was removed before it was connected"));
        } else if (missing.decrementAndGet() == 0) {
          sink.success();
        }
      });
    }
  }

  /** Removes connections of a peer. */
  void remove(VirtualChannel channel, String addresses) {
    Reconnect connecting = Reconnect.of(channel);
    Set<Rail.Target> targets = new LinkedHashSet<>(targets(Address.parseAll(addresses)));
    for (Rail.Target target : targets) {
      if (!connecting.leadsTo(target)) {
        throw new IllegalArgumentException(
            "peer '" + channel.peerName() + "' has no rail to " + target);
      }
    }
    if (!connecting.leadsElsewhere(targets)) {
      throw new IllegalArgumentException("peer '" + channel.peerName()
          + "' would be without a rail; add another one first, or close the peer");
    }
    targets.forEach(target -> connecting.remove(target, "the application removed it"));
  }

  /** Returns the choices in order of preference. {@code here} is true for this host. */
  List<Choice> to(HostPort to, boolean here) {
    Rail shm = fabrics.rail(SHM);
    Rail tcp = fabrics.requireRail(TCP);
    List<Choice> choices = new ArrayList<>();
    Optional<String> name = to.sharedMemoryName();
    String whyNot = "";
    if (!here) {
      whyNot = to.host() + " is another host";
    } else if (shm == null || name.isEmpty()) {
      whyNot = "this node has no shared memory";
    } else {
      choices.add(new Choice(targets(shm, name.get()), to.host() + " is this host"));
      whyNot = to.host() + " is this host, but no node listens at this name in shared memory";
    }
    String host = to.host().contains(":") ? "[" + to.host() + "]" : to.host();
    choices.add(new Choice(targets(tcp, host + ":" + to.port()), whyNot));
    return choices;
  }

  /** Returns the connections to one address. */
  List<Rail.Target> targets(Rail rail, String location) {
    int count = rail.fabric().capabilities().mapped() ? 1 : connectionsPerRail;
    return Collections.nCopies(count, new Rail.Target(rail, location));
  }
}
