package io.railflux.engine;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is given back at the end of a cycle, when nobody reads it any more. What one endpoint does wrong then
 * ends neither the node nor keeps what the others have. Engine thread only.
 */
final class DueReleases {

  private static final Logger LOG = LoggerFactory.getLogger(DueReleases.class);

  private final List<Runnable> releases = new ArrayList<>();
  private final List<Runnable> afterwards = new ArrayList<>();

  void add(Runnable release) {
    releases.add(release);
  }

  /** Runs behind all releases. */
  void addAfterwards(Runnable action) {
    afterwards.add(action);
  }

  /** Returns whether something ran behind the releases. */
  boolean run() {
    runAll(releases);
    boolean followed = !afterwards.isEmpty();
    runAll(afterwards);
    return followed;
  }

  private static void runAll(List<Runnable> actions) {
    // By index: what runs may add others.
    for (int i = 0; i < actions.size(); i++) {
      try {
        actions.get(i).run();
      } catch (Throwable e) {
        LOG.error("unexpected failure of a release, what it holds may be lost", e);
      }
    }
    actions.clear();
  }
}
