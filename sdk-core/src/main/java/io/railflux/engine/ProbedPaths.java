package io.railflux.engine;

import io.railflux.engine.Engine.Target;
import io.railflux.metrics.RailEvent.Kind;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tries further connections of one peer while large messages go there or come from there ({@link PathProbe}). Addresses
 * within the host take no part, nor does shared memory: there connections share all there is. Engine thread only.
 */
final class ProbedPaths implements PathProbe.Trial {

  /** To one address. */
  private static final int MOST_CONNECTIONS = 8;

  /** To one peer; those that its user adds have room beside them. */
  private static final int MOST_DESTINATIONS = 16;

  private final Engine engine;
  private final Reconnect reconnect;
  private final VirtualChannel channel;
  private final PathProbe probe = new PathProbe(this);
  private final Map<Target, Integer> trials = new HashMap<>();
  private boolean ticking;
  private Destination tried;

  ProbedPaths(Engine engine, Reconnect reconnect, VirtualChannel channel) {
    this.engine = engine;
    this.reconnect = reconnect;
    this.channel = channel;
    channel.rendezvous().traffic().onBegin(this::loadBegins);
  }

  private void loadBegins() {
    if (!ticking) {
      ticking = true;
      probe.loadBegins(engine.nowNanos());
      tickLater();
    }
  }

  private void tickLater() {
    engine.timers().at(engine.nowNanos() + PathProbe.TICK_NANOS, this::tick);
  }

  private void tick() {
    ticking = !channel.isClosing()
        && !channel.isClosed()
        && probe.tick(
            engine.nowNanos(),
            channel.rendezvous().traffic(),
            channel.largeMessages() > 0,
            channel.live().size());
    if (ticking) {
      tickLater();
    }
  }

  @Override
  public boolean begin() {
    List<Target> places = places();
    if (places.isEmpty() || reconnect.size() >= MOST_DESTINATIONS) {
      return false;
    }
    Target place = places.get(0);
    trials.merge(place, 1, Integer::sum);
    tried = reconnect.tryOneMore(place);
    return true;
  }

  /** Where one more may go, those first with the fewest, and of them those that were tried least. */
  private List<Target> places() {
    return reconnect.targets().stream()
        .distinct()
        .filter(target -> reconnect.countOf(target) < MOST_CONNECTIONS)
        .filter(this::leadsOut)
        .sorted(Comparator.comparingInt(reconnect::countOf)
            .thenComparingInt(target -> trials.getOrDefault(target, 0)))
        .toList();
  }

  private boolean leadsOut(Target target) {
    Subchannel carrier = reconnect.carrierTo(target);
    return carrier != null && carrier.leadsOut();
  }

  @Override
  public boolean isThere() {
    return tried.carrier() != null;
  }

  @Override
  public boolean isLost() {
    return tried.isRemoved() || (tried.hasEverJoined() && !isThere());
  }

  @Override
  public void keep(String reason) {
    reconnect.tell(Kind.PROBED, tried, "kept: " + reason);
  }

  /** Whether those that stay would not carry what it does: others were lost meanwhile. */
  private boolean isNeeded() {
    boolean others = channel.live().stream()
        .anyMatch(other -> other != tried.carrier() && other.givenUp == null);
    boolean carriesMessages =
        !tried.isFurther() && (tried.takesMessages() || !reconnect.takesMessages(tried.target));
    return !tried.isRemoved() && (carriesMessages || (isThere() && !others));
  }

  @Override
  public void drop(String reason) {
    if (isNeeded()) {
      keep("what goes to the peer goes over it now");
      return;
    }
    reconnect.tell(Kind.PROBED, tried, "not kept: " + reason);
    reconnect.giveUpOne(tried, reason);
  }
}
