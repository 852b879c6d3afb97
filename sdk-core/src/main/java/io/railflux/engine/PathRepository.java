package io.railflux.engine;

import io.railflux.metrics.RailStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The paths to one peer (FT2: V 10.3.2): those that carry traffic, and what is known of the others. A
 * subchannel that joins from where one was lost is the same path. Engine thread only, but where it says
 * otherwise.
 */
final class PathRepository {

  /** A hostile peer may come from anywhere: the first of those that are not there is forgotten. */
  static final int MOST_PATHS = 64;

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

  /** The same of {@link #paths}. */
  private volatile Path[] all = {};

  /** Those that carry traffic, by id; the same list always. */
  List<Subchannel> live() {
    return live;
  }

  /** Those, and those that were lost and may come back; the same list always. */
  List<Path> known() {
    return paths;
  }

  boolean hasLive() {
    return !live.isEmpty();
  }

  /** The live subchannel of that id, or null. */
  Subchannel find(int id) {
    for (Subchannel subchannel : live) {
      if (subchannel.id == id) {
        return subchannel;
      }
    }
    return null;
  }

  /** A subchannel is live from now on. */
  Path joined(Subchannel subchannel) {
    live.add(subchannel);
    live.sort((a, b) -> Integer.compare(a.id, b.id));
    fabricName = live.get(0).rail.fabric().name();
    lastHost = live.get(0).endpoint.remoteHost();
    changed();
    subchannel.path = pathFor(subchannel);
    subchannel.path.joined(subchannel);
    return subchannel.path;
  }

  private Path pathFor(Subchannel subchannel) {
    for (Path path : paths) {
      if (path.wasCarriedBy(subchannel.replaces) && path.isFreeOn(subchannel.rail)) {
        return path;
      }
    }
    for (Path path : paths) {
      if (path.isFreeFor(subchannel)) {
        return path;
      }
    }
    if (paths.size() >= MOST_PATHS) {
      paths.stream()
          .filter(path -> path.state() == PathState.UNAVAILABLE)
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

  /** Takes a subchannel out of service; returns its path, null when it never was live. */
  Path lost(Subchannel subchannel, String reason) {
    if (!live.remove(subchannel)) {
      return null;
    }
    changed();
    subchannel.path.lost(reason);
    return subchannel.path;
  }

  /** Both sides know what a lost subchannel had delivered; of a path that nobody wants nothing is left. */
  void settled(Subchannel subchannel) {
    subchannel.path.settled(subchannel);
    if (subchannel.givenUp != null) {
      forget(subchannel.id);
    }
  }

  /** Whether that path was not forgotten. */
  boolean has(Path path) {
    return paths.contains(path);
  }

  /** Whether a path over the same rail to the same host as this one is not there. */
  boolean isOneLostBeside(Path other) {
    return paths.stream().anyMatch(path -> !path.isAvailable() && path.sharesRail(other));
  }

  /** Nobody wants the path back that this subchannel carried last; one that is there, or being settled, stays. */
  void forget(int subchannelId) {
    paths.removeIf(
        path -> path.wasCarriedBy(subchannelId) && path.state() == PathState.UNAVAILABLE);
    pathsChanged();
  }

  /** The peer is gone; returns what was live. */
  List<Subchannel> clear() {
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

  /** A rail of that kind is about to join. */
  void joins(boolean mapped) {
    someMapped |= mapped;
    somePosted |= !mapped;
  }

  /** Whether every rail so far was mapped: then messages need not lie where each kind can send them from. */
  boolean isMapped() {
    return someMapped && !somePosted;
  }

  /** Of every path. Any thread. */
  List<RailStatus> status() {
    Path[] paths = all;
    return Stream.of(paths).map(path -> path.status(paths.length == 1)).toList();
  }

  /** Paths in use and where they lead, for messages to people. Any thread. */
  String explain() {
    StringBuilder text = new StringBuilder();
    for (Subchannel subchannel : view) {
      text.append(text.isEmpty() ? "" : ", ").append("over ").append(subchannel.explain());
    }
    return text.isEmpty() ? "over no rail now, last " + lastLocation : text.toString();
  }

  /** Where the first path leads, or led when there was one. Any thread. */
  String lastLocation() {
    return lastLocation;
  }

  /** Host of the same. */
  String lastHost() {
    return lastHost;
  }

  /** Name of the fabric of the first path there was. Any thread. */
  String fabricName() {
    return fabricName;
  }

  /** Bytes the peer has not consumed, summed over the live rings. Any thread. */
  long occupiedBytes() {
    long sum = 0;
    for (Subchannel subchannel : view) {
      sum += subchannel.writer().occupiedBytes();
    }
    return sum;
  }

  /** Bytes of the live rings the peer granted. Any thread. */
  long capacityBytes() {
    long sum = 0;
    for (Subchannel subchannel : view) {
      sum += subchannel.writer().capacityBytes();
    }
    return sum;
  }

  /** Rings and words granted to the peer. Any thread. */
  long registeredBytes() {
    long sum = 0;
    for (Subchannel subchannel : view) {
      sum += subchannel.memory.bytes();
    }
    return sum;
  }
}
