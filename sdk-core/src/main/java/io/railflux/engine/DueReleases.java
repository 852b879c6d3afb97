package io.railflux.engine;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is given back at the end of a cycle, when nobody reads it any more. One release that fails does not end the
 * node, and the others run all the same. Engine thread only.
 */
final class DueReleases {

  private static final Logger LOG = LoggerFactory.getLogger(DueReleases.class);

  private final List<Runnable> releases = new ArrayList<>();
  private final List<Runnable> afterwards = new ArrayList<>();

  void add(Runnable release) {
    releases.add(release);
  }

  /** Runs behind all releases; not if one of them failed: somebody may write to that memory still. */
  void addAfterwards(Runnable action) {
    afterwards.add(action);
  }

  /** Returns whether something ran behind the releases. */
  boolean run() {
    boolean all = runAll(releases);
    if (!all && !afterwards.isEmpty()) {
      LOG.error("memory that an endpoint which did not close may write to is not used again");
      afterwards.clear();
    }
    boolean followed = !afterwards.isEmpty();
    runAll(afterwards);
    return followed;
  }

  /** Returns whether none failed. */
  private static boolean runAll(List<Runnable> actions) {
    boolean all = true;
    // By index: what runs may add others.
    for (int i = 0; i < actions.size(); i++) {
      try {
        actions.get(i).run();
      } catch (Throwable e) {
        all = false;
        LOG.error("unexpected failure of a release, what it holds may be lost", e);
      }
    }
    actions.clear();
    return all;
  }
}
