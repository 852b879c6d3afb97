package io.railflux.engine;

import io.railflux.policy.Paths;
import java.util.List;

/** The live subchannels of a peer as a striping policy sees them. Engine thread only. */
final class LivePaths implements Paths {

  private final List<Subchannel> live;

  LivePaths(List<Subchannel> live) {
    this.live = live;
  }

  @Override
  public int count() {
    return live.size();
  }

  @Override
  public int id(int path) {
    return live.get(path).id;
  }

  @Override
  public int rail(int path) {
    return live.get(path).path.railPlace;
  }

  /** Of messages what their rail has under way: a further path, which carries none, would look free beside them. */
  @Override
  public long pendingBytes(int path) {
    Subchannel subchannel = live.get(path);
    Subchannel ring = live.get(messagePath(path));
    return ring.writer().ring().occupied() + subchannel.lane().stripedBytes();
  }

  /** The place of the subchannel whose ring messages for that one go through: itself, or one beside it if there is one now. */
  int messagePath(int path) {
    Subchannel chosen = live.get(path);
    for (int i = 0; chosen.further && i < live.size(); i++) {
      Subchannel other = live.get(i);
      if (!other.further && other.leadsWhere(chosen)) {
        return i;
      }
    }
    return path;
  }
}
