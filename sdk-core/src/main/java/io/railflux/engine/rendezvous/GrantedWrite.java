package io.railflux.engine.rendezvous;

import io.railflux.engine.path.BulkLane;
import io.railflux.engine.seal.SealedChunks;
import io.railflux.engine.send.SendPath;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.RemoteRegion;
import io.railflux.wire.RendezvousReply;
import java.nio.ByteBuffer;

/**
 * Writes one granted portion of a large message, followed by its FIN (RV1). This is the only class that sends payload
 * of large messages; it seals the payload if frames are sealed. Engine thread only.
 */
public final class GrantedWrite implements BulkLane.Writing {

  private final RendezvousSend send;
  private final RendezvousReply grant;
  private final RemoteRegion region;
  private final SendPath path;
  private final LocalMemory local;
  private int written;
  private boolean over;

  /**
   * @param local the source as registered with the rail; null if the peer's memory is mapped, or if the payload is
   *     sealed
   */
  public GrantedWrite(
      RendezvousSend send,
      RendezvousReply grant,
      RemoteRegion region,
      SendPath path,
      LocalMemory local) {
    this.send = send;
    this.grant = grant;
    this.region = region;
    this.path = path;
    this.local = local;
  }

  /** Writes the next chunk, and FIN behind the last chunk. Returns false if there is no room now. */
  @Override
  public boolean step(BulkLane lane) {
    int left = isWanted(lane) ? grant.lengthBytes() - written : 0;
    if (left == 0) {
      return finish(lane);
    }
    if (lane.sealed() != null) {
      return writeSealed(lane, Math.min(left, SealedChunks.PLAIN_BYTES));
    }
    int bytes = Math.min(left, lane.writeBytes());
    int part = grant.dataOffset() + written;
    int to = grant.region().offset() + written;
    if (lane.isMapped()) {
      region.mapped().put(to, send.source().view(), send.source().offset() + part, bytes);
      copied(lane, bytes);
    } else if (lane.write(send, local, send.source().localOffset() + part, bytes, region, to)) {
      send.requested();
    } else {
      return false;
    }
    wrote(lane, bytes);
    return true;
  }

  /**
   * Sends FIN with the last chunk, in the same system call. Without room, FIN follows in a later step. Mapped memory
   * involves no system call, so FIN takes a step of its own there.
   */
  private void wrote(BulkLane lane, int bytes) {
    written += bytes;
    if (written == grant.lengthBytes() && !lane.isMapped()) {
      finish(lane);
    }
  }

  /** Returns whether to continue. A sealed portion is always completed: half a portion would look tampered with. */
  private boolean isWanted(BulkLane lane) {
    return lane.sealed() == null ? !send.isAbandoned() : send.state() != RendezvousSend.State.OVER;
  }

  private boolean writeSealed(BulkLane lane, int bytes) {
    if (!lane.isMapped() && !lane.hasPlace()) {
      return false;
    }
    SealedChunks sealed = lane.sealed();
    int offset = grant.dataOffset() + written;
    ByteBuffer chunk = send.source().view().slice(send.source().offset() + offset, bytes);
    int to = grant.region().offset() + SealedChunks.position(written);
    if (lane.isMapped()) {
      sealed.seal(chunk, region.mapped().duplicate().position(to), send.id(), offset);
      copied(lane, bytes);
    } else {
      int from = sealed.stage(chunk, send.id(), offset);
      int length = bytes + SealedChunks.Sealer.TAG_BYTES;
      if (!lane.write(send, sealed.staging(), from, length, region, to)) {
        sealed.unstage();
        return false;
      }
      send.requested();
    }
    wrote(lane, bytes);
    return true;
  }

  private void copied(BulkLane lane, int bytes) {
    lane.copied(send, bytes);
    send.requested();
  }

  /** Sends FIN behind the payload over the same endpoint, which preserves the order. */
  private boolean finish(BulkLane lane) {
    over = path.fin(lane.subchannel(), send.id(), grant.grant());
    if (over) {
      send.written();
    }
    return over;
  }

  @Override
  public boolean isOver() {
    return over;
  }

  /** Handles the failure of the endpoint. The receiver requests missing bytes again. */
  @Override
  public void lost() {
    over = true;
    send.written();
  }
}
