package io.railflux;

import io.railflux.engine.session.VirtualChannel;
import java.util.ArrayList;
import java.util.List;

/** The sessions of a node, and the remotes and publications that follow them. Engine thread only. */
final class Sessions {

  private final List<Peer> present = new ArrayList<>();
  private final List<Remote> remotes = new ArrayList<>();
  private final List<Publication<?>> publications = new ArrayList<>();

  /** Registers a new session, before anything else uses it. */
  void joined(Peer peer, VirtualChannel channel) {
    present.add(peer);
    channel.onEnd(failure -> present.remove(peer));
    publications.forEach(publication -> publication.offer(peer));
  }

  void add(Publication<?> publication) {
    publications.add(publication);
    present.forEach(publication::offer);
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
