package io.railflux.engine.base;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases that run at the end of a cycle, when the memory has no reader left. A failed release neither stops the
 * node nor the other releases. Engine thread only.
 */
public final class DueReleases {

  private static final Logger LOG = LoggerFactory.getLogger(DueReleases.class);

  private final List<Runnable> releases = new ArrayList<>();
  private final List<Runnable> afterwards = new ArrayList<>();

  public void add(Runnable release) {
    releases.add(release);
  }

  /** Runs {@code action} after all releases, but not if one of them failed, because its memory may still be written. */
  public void addAfterwards(Runnable action) {
    afterwards.add(action);
  }

  /** Returns whether actions ran after the releases. */
  public boolean run() {
    boolean all = runAll(releases);
    if (!all && !afterwards.isEmpty()) {
      LOG.error("an endpoint did not close and may still write to its memory, which is not reused");
      afterwards.clear();
    }
    boolean followed = !afterwards.isEmpty();
    runAll(afterwards);
    return followed;
  }

  /** Returns whether all actions succeeded. */
  private static boolean runAll(List<Runnable> actions) {
    boolean all = true;
    // Iterates by index, because an action may add others.
    for (int i = 0; i < actions.size(); i++) {
      try {
        actions.get(i).run();
      } catch (Throwable e) {
        all = false;
        LOG.error("unexpected failure of a release; its resources may be lost", e);
      }
    }
    actions.clear();
    return all;
  }
}
