package io.railflux;

import io.railflux.engine.path.SessionContext;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.metrics.PeerReadings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The sessions of a node, and the remotes and publications that follow them. Engine thread only. */
final class Sessions {

  private final Map<PeerReadings, Peer> present = new HashMap<>();
  private final List<Remote> remotes = new ArrayList<>();
  private final List<Publication<?>> publications = new ArrayList<>();

  /** Registers a new session, before anything else uses it. */
  void joined(Peer peer, VirtualChannel channel) {
    present.put(channel.readings(), peer);
    channel.onEnd(failure -> present.remove(channel.readings()));
    publications.forEach(publication -> publication.offer(peer));
  }

  /** Returns the peer of a session that has not ended. */
  Peer peer(SessionContext session) {
    return present.get(session.readings());
  }

  void add(Publication<?> publication) {
    publications.add(publication);
    present.values().forEach(publication::offer);
  }

  void remove(Publication<?> publication) {
    publications.remove(publication);
    publication.dispose();
  }

  void add(Remote remote) {
    remotes.add(remote);
    remote.onStop(() -> remotes.remove(remote));
  }

  /** Lets remotes connect no longer, so that the peers of the node can drain. */
  void stopRemotes() {
    List.copyOf(remotes).forEach(Remote::stop);
  }
}
