package io.railflux.engine;

import io.railflux.policy.Marker;
import io.railflux.policy.Paths;
import io.railflux.policy.StripingPolicy;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the striping policy of one peer. That is a user's: what it does wrong must not leave a stream
 * without its last frame. Engine thread only.
 */
final class Striper {

  private static final Logger LOG = LoggerFactory.getLogger(Striper.class);

  private final StripingPolicy policy;
  private final Paths paths;
  private boolean failed;

  Striper(StripingPolicy policy, List<Subchannel> live) {
    this.policy = policy;
    this.paths = new LivePaths(live);
  }

  /** The place of the subchannel that carries a frame, among those that are live; there is one at least. */
  int next(int lengthBytes, Marker marker) {
    int count = paths.count();
    if (count == 1) {
      return 0;
    }
    try {
      int path = policy.next(paths, lengthBytes, marker);
      return path >= 0 && path < count ? path : Math.floorMod(path, count);
    } catch (RuntimeException e) {
      if (!failed) {
        failed = true;
        LOG.error("striping policy {} failed; where it does, the first rail is taken", policy, e);
      }
      return 0;
    }
  }
}
