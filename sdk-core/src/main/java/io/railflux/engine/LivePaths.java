package io.railflux.engine;

import io.railflux.policy.Paths;
import java.util.List;

/**
 * The live subchannels of a peer as a striping policy sees them that is to choose for a message of the ring, or to
 * cut a large one. Engine thread only.
 */
final class LivePaths implements Paths {

  private final List<Subchannel> live;
  private final boolean ofMessages;

  private LivePaths(List<Subchannel> live, boolean ofMessages) {
    this.live = live;
    this.ofMessages = ofMessages;
  }

  static LivePaths ofMessages(List<Subchannel> live) {
    return new LivePaths(live, true);
  }

  static LivePaths ofPieces(List<Subchannel> live) {
    return new LivePaths(live, false);
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

  /**
   * For messages with what their rail's ring holds, beside which a further path would look free. That is never empty
   * under load, and none of a further path's business when a message is cut.
   */
  @Override
  public long pendingBytes(int path) {
    Subchannel subchannel = live.get(path);
    Subchannel ring = ofMessages ? live.get(messagePath(path)) : subchannel;
    return ring.writer().ring().occupied() + subchannel.lane().stripedBytes();
  }

  @Override
  public long pendingLargeBytes(int path) {
    return live.get(path).lane().stripedBytes();
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
