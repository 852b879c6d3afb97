package io.railflux.engine;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * The accepting side's part in making lost connections anew (FT4: V 10.3.3, where who has the higher id connects):
 * if its incarnation is the higher one and it knows an address of the peer, it makes the endpoint, and the peer goes
 * on over it as if it had. What the peer wants, and what it numbers, stays with it. Engine thread only.
 */
public final class Redials {

  /**
   * Each may hold an endpoint that nothing comes from, also of a path that was forgotten since. For what is lost beyond
   * that the peer connects itself.
   */
  private static final int MOST = PathRepository.MOST_PATHS;

  private final VirtualChannel channel;
  private final Map<Path, Redial> underWay = new HashMap<>();
  private BiFunction<Rail, String, String> locations = (rail, host) -> null;

  Redials(VirtualChannel channel) {
    this.channel = channel;
  }

  /** Sets where the peer listens on a rail at a host that it came from; null: nowhere known. */
  public void peerListens(BiFunction<Rail, String, String> newLocations) {
    locations = newLocations;
  }

  String location(Path path) {
    return locations.apply(path.rail, path.remoteHost);
  }

  void lost(Subchannel subchannel) {
    boolean isHigher = channel.engine().incarnation().isHigherThan(channel.peer());
    if (isHigher && subchannel.givenUp == null && location(subchannel.path) != null) {
      Redial redial = redial(subchannel.path);
      if (redial != null) {
        redial.lost(subchannel.id);
      }
    }
  }

  /** The one of that path, which it has while it is lost again and again; null where there are too many. */
  private Redial redial(Path path) {
    if (underWay.size() < MOST) {
      underWay.computeIfAbsent(path, lost -> new Redial(this, channel, lost));
    }
    return underWay.get(path);
  }

  void over(Path path) {
    underWay.remove(path);
  }
}
