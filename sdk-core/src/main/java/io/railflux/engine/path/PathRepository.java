package io.railflux.engine.path;

import io.railflux.metrics.RailStatus;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The paths to one peer (FT2: V 10.3.2): those that carry traffic, and the history of the others. A subchannel that
 * joins from the origin of a lost subchannel restores its path. Engine thread only, except where stated.
 */
public final class PathRepository {

  /**
   * Bound against a hostile peer, which may connect from any address. The oldest unavailable path is forgotten
   * first.
   */
  public static final int MAX_PATHS = 64;

  private final List<Subchannel> live = new ArrayList<>();
  private final List<Path> paths = new ArrayList<>();
  private int nextNumber;

  /** Whether rails of either kind carried this session. */
  private boolean someMapped;

  private boolean somePosted;

  private String lastHost = "";
  private volatile String fabricName = "none";
  private volatile String lastLocation = "";

  /** Copy of {@link #live} for readers on other threads. */
  private volatile Subchannel[] view = {};

  /** Copy of {@link #paths} for readers on other threads. */
  private volatile Path[] all = {};

  /** Live subchannels, ordered by id; always the same list. */
  public List<Subchannel> live() {
    return live;
  }

  /** Live paths and lost paths that may return; always the same list. */
  List<Path> known() {
    return paths;
  }

  public boolean hasLive() {
    return !live.isEmpty();
  }

  /** Whether no live path leads out of the host. */
  public boolean isWithinHost() {
    for (int i = 0; i < live.size(); i++) {
      if (live.get(i).leadsOut()) {
        return false;
      }
    }
    return true;
  }

  /** Returns the live subchannel with the id, or null. */
  public Subchannel find(int id) {
    for (Subchannel subchannel : live) {
      if (subchannel.id == id) {
        return subchannel;
      }
    }
    return null;
  }

  /** Adds a live subchannel. */
  public Path joined(Subchannel subchannel) {
    live.add(subchannel);
    live.sort((a, b) -> Integer.compare(a.id, b.id));
    fabricName = live.get(0).rail.fabricName();
    lastHost = live.get(0).endpoint.remoteHost();
    changed();
    Path path = pathFor(subchannel);
    subchannel.carry(path);
    path.joined(subchannel);
    return path;
  }

  private Path pathFor(Subchannel subchannel) {
    for (Path path : paths) {
      if (path.wasCarriedBy(subchannel.replaces()) && path.isFreeOn(subchannel.rail)) {
        return path;
      }
    }
    for (Path path : paths) {
      if (path.isFreeFor(subchannel)) {
        return path;
      }
    }
    if (paths.size() >= MAX_PATHS) {
      paths.stream()
          .filter(path -> path.state() == Path.State.UNAVAILABLE)
          .findFirst()
          .ifPresent(paths::remove);
    }
    Path path = new Path(nextNumber++, subchannel);
    paths.add(path);
    pathsChanged();
    return path;
  }

  private void pathsChanged() {
    all = paths.toArray(new Path[0]);
    List<Path> rails = new ArrayList<>();
    for (Path path :
        paths.stream().sorted(Comparator.comparingInt(p -> p.firstId)).toList()) {
      int place = 0;
      while (place < rails.size() && !rails.get(place).sharesRail(path)) {
        place++;
      }
      if (place == rails.size()) {
        rails.add(path);
      }
      path.railPlace = place;
    }
  }

  /** Takes a subchannel out of service; returns its path, null if it never was live. */
  public Path lost(Subchannel subchannel, String reason) {
    if (!live.remove(subchannel)) {
      return null;
    }
    changed();
    subchannel.path().lost(reason);
    return subchannel.path();
  }

  /** Both sides know the delivered frames of a lost subchannel. A path that was given up is forgotten. */
  public void settled(Subchannel subchannel) {
    subchannel.path().settled(subchannel);
    if (subchannel.isGivenUp()) {
      forget(subchannel.id);
    }
  }

  /** Whether the path is still known. */
  public boolean has(Path path) {
    return paths.contains(path);
  }

  /** Whether a path over the same rail to the same host is unavailable. */
  public boolean isOneLostBeside(Path other) {
    return paths.stream().anyMatch(path -> !path.isAvailable() && path.sharesRail(other));
  }

  /** Forgets the path that the subchannel carried last, unless the path is available or recovering. */
  public void forget(int subchannelId) {
    paths.removeIf(
        path -> path.wasCarriedBy(subchannelId) && path.state() == Path.State.UNAVAILABLE);
    pathsChanged();
  }

  /** Ends all paths, because the peer is gone; returns the live subchannels. */
  public List<Subchannel> clear() {
    List<Subchannel> were = new ArrayList<>(live);
    live.clear();
    view = new Subchannel[0];
    paths.forEach(Path::ended);
    return were;
  }

  private void changed() {
    view = live.toArray(new Subchannel[0]);
    if (!live.isEmpty()) {
      lastLocation = live.get(0).endpoint.remoteDescription();
    }
  }

  /** Announces a rail of this kind, which is about to join. */
  public void joins(boolean mapped) {
    someMapped |= mapped;
    somePosted |= !mapped;
  }

  /** Whether all rails so far were mapped. Messages then need no memory from which every kind of rail can send. */
  public boolean isMapped() {
    return someMapped && !somePosted;
  }

  /** Status of all paths. Any thread. */
  public List<RailStatus> status() {
    Path[] paths = all;
    return Stream.of(paths).map(path -> path.status(paths.length == 1)).toList();
  }

  /** Describes the paths in use and their destinations, for messages to people. Any thread. */
  public String explain() {
    StringBuilder text = new StringBuilder();
    for (Subchannel subchannel : view) {
      text.append(text.isEmpty() ? "" : ", ").append("over ").append(subchannel.explain());
    }
    return text.isEmpty() ? "without a rail now, last " + lastLocation : text.toString();
  }

  /** Location of the first available path, or of the last available path before. Any thread. */
  public String lastLocation() {
    return lastLocation;
  }

  /** Host of {@link #lastLocation()}. */
  public String lastHost() {
    return lastHost;
  }

  /** Fabric name of the session's first path. Any thread. */
  public String fabricName() {
    return fabricName;
  }

  /** Returns the first live subchannel; null without one. Any thread. */
  public Subchannel first() {
    Subchannel[] now = view;
    return now.length == 0 ? null : now[0];
  }

  /** Bytes that the peer has not consumed, summed over the live rings. Any thread. */
  public long occupiedBytes() {
    long sum = 0;
    for (Subchannel subchannel : view) {
      sum += subchannel.writer().occupiedBytes();
    }
    return sum;
  }

  /** Bytes of the live rings that the peer granted. Any thread. */
  public long capacityBytes() {
    long sum = 0;
    for (Subchannel subchannel : view) {
      sum += subchannel.writer().capacityBytes();
    }
    return sum;
  }

  /** Bytes of the rings and words granted to the peer. Any thread. */
  public long registeredBytes() {
    long sum = 0;
    for (Subchannel subchannel : view) {
      sum += subchannel.registeredBytes();
    }
    return sum;
  }

  /**
   * Share of each path in the traffic to one peer within about the last second, for people. The looks coincide with
   * the checks for signs of life, several times a second with several paths, and so cause no wake-ups. Engine
   * thread only.
   */
  public static final class LastSecond {

    /** Covers more than one second. */
    static final int LOOKS = 16;

    private static final long MIN_PAUSE_NANOS = 80_000_000;
    private static final long SECOND_NANOS = 1_000_000_000;

    private final PathRepository paths;
    private final long[] times = new long[LOOKS];
    private long looks;

    public LastSecond(PathRepository paths) {
      this.paths = paths;
    }

    public void look(long nowNanos) {
      List<Path> known = paths.known();
      if (known.size() < 2) {
        looks = 0;
      } else if (looks == 0) {
        Arrays.fill(times, nowNanos);
        known.forEach(Path::beginLooking);
        looks = 1;
      } else if (nowNanos - times[place(looks - 1)] >= MIN_PAUSE_NANOS) {
        share(known, aSecondBefore(nowNanos));
        times[place(looks)] = nowNanos;
        for (int i = 0; i < known.size(); i++) {
          known.get(i).look(place(looks));
        }
        looks++;
      }
    }

    private static int place(long look) {
      return Math.floorMod(look, LOOKS);
    }

    /** Returns the place of the last look at least a second ago, or of the first look. */
    private int aSecondBefore(long nowNanos) {
      long oldest = Math.max(0, looks - LOOKS);
      long look = looks - 1;
      while (look > oldest && nowNanos - times[place(look)] < SECOND_NANOS) {
        look--;
      }
      return place(look);
    }

    private static void share(List<Path> known, int since) {
      long moved = 0;
      for (int i = 0; i < known.size(); i++) {
        moved += known.get(i).movedSince(since);
      }
      for (int i = 0; i < known.size(); i++) {
        known.get(i).shareOf(moved, since);
      }
    }
  }
}
