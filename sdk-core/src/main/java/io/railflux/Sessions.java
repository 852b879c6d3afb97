package io.railflux;

import java.util.ArrayList;
import java.util.List;

/** The remotes of a node. Engine thread only. */
final class Sessions {

  private final List<Remote> remotes = new ArrayList<>();

  void add(Remote remote) {
    remotes.add(remote);
    remote.onStop(() -> remotes.remove(remote));
  }

  /** Lets remotes connect no longer, so that the peers of the node can drain. */
  void stopRemotes() {
    List.copyOf(remotes).forEach(Remote::stop);
  }
}
