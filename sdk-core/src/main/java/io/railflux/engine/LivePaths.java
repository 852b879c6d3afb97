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
    return live.get(path).rail.index();
  }

  @Override
  public long pendingBytes(int path) {
    Subchannel subchannel = live.get(path);
    return subchannel.writer().ring().occupied() + subchannel.lane().stripedBytes();
  }
}
