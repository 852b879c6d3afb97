package io.railflux.engine.connect;

import io.railflux.engine.base.EngineContext;
import io.railflux.engine.base.Rail;
import io.railflux.engine.base.Timers;
import io.railflux.engine.path.LargeTraffic;
import io.railflux.engine.path.PathProbe;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.metrics.RailEvent.Kind;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tries further connections to one peer while large messages are transferred in either direction ({@link PathProbe}).
 * Addresses within the host and shared memory are excluded: such connections share all resources. Engine thread only.
 */
public final class ProbedPaths implements PathProbe.Trial {

  /** Maximum number of connections to one address. */
  private static final int MAX_CONNECTIONS = 8;

  /** Maximum number of connections to one peer. Connections that the user adds are not limited by it. */
  private static final int MAX_DESTINATIONS = 16;

  private final EngineContext engine;
  private final Timers timers;
  private final Reconnect reconnect;
  private final VirtualChannel channel;
  private final List<Subchannel> live;
  private final LargeTraffic traffic;
  private final PathProbe probe = new PathProbe(this);
  private final Map<Rail.Target, Integer> trials = new HashMap<>();
  private boolean ticking;
  private Destination tried;

  private ProbedPaths(VirtualChannel channel) {
    this.engine = channel.engine();
    this.timers = engine.timers();
    this.reconnect = Reconnect.of(channel);
    this.channel = channel;
    this.live = channel.live();
    this.traffic = channel.largeTraffic();
  }

  /**
   * Determines continuously how many connections to the known addresses speed up large messages, and keeps that many
   * (MR8). For channels that this side connected. Engine thread only.
   */
  public static void begin(VirtualChannel channel) {
    ProbedPaths probed = new ProbedPaths(channel);
    probed.traffic.onBegin(probed::loadBegins);
  }

  private void loadBegins() {
    if (!ticking) {
      ticking = true;
      probe.loadBegins(engine.nowNanos());
      tickLater();
    }
  }

  private void tickLater() {
    timers.at(engine.nowNanos() + PathProbe.TICK_NANOS, this::tick);
  }

  private void tick() {
    ticking = !channel.isClosing()
        && !channel.isClosed()
        && probe.tick(engine.nowNanos(), traffic, channel.largeMessages() > 0, live.size());
    if (ticking) {
      tickLater();
    }
  }

  @Override
  public boolean begin() {
    List<Rail.Target> places = places();
    if (places.isEmpty() || reconnect.size() >= MAX_DESTINATIONS) {
      return false;
    }
    Rail.Target place = places.get(0);
    trials.merge(place, 1, Integer::sum);
    tried = reconnect.tryOneMore(place);
    return true;
  }

  /** Returns the candidate addresses, ordered by the number of connections, then by the number of trials. */
  private List<Rail.Target> places() {
    return reconnect.targets().stream()
        .distinct()
        .filter(target -> reconnect.countOf(target) < MAX_CONNECTIONS)
        .filter(this::leadsOut)
        .sorted(Comparator.comparingInt(reconnect::countOf)
            .thenComparingInt(target -> trials.getOrDefault(target, 0)))
        .toList();
  }

  private boolean leadsOut(Rail.Target target) {
    Subchannel carrier = reconnect.carrierTo(target);
    return carrier != null && carrier.leadsOut();
  }

  @Override
  public boolean isConnected() {
    return tried.carrier() != null;
  }

  @Override
  public boolean isLost() {
    return tried.isRemoved() || (tried.hasEverJoined() && !isConnected());
  }

  @Override
  public void keep(String reason) {
    reconnect.report(Kind.PROBED, tried, "kept: " + reason);
  }

  /**
   * Returns whether the remaining connections cannot replace the tried connection, because others were lost meanwhile.
   */
  private boolean isNeeded() {
    boolean others =
        live.stream().anyMatch(other -> other != tried.carrier() && !other.isGivenUp());
    boolean carriesMessages =
        !tried.isFurther() && (tried.takesMessages() || !reconnect.takesMessages(tried.target));
    return !tried.isRemoved() && (carriesMessages || (isConnected() && !others));
  }

  @Override
  public void drop(String reason) {
    if (isNeeded()) {
      keep("it carries traffic to the peer now");
      return;
    }
    reconnect.report(Kind.PROBED, tried, "not kept: " + reason);
    reconnect.giveUpConnection(tried, reason);
  }
}
