package io.railflux.engine;

import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.RemoteRegion;
import io.railflux.wire.RendezvousReply;
import java.nio.ByteBuffer;

/**
 * One portion of a large message on its way to where the receiver wants it, and the FIN behind it (RV1).
 * This is the one place where payload leaves, sealed where frames are. Engine thread only.
 */
final class GrantedWrite {

  private final RendezvousSend send;
  private final RendezvousReply grant;
  private final RemoteRegion region;
  private final SendPath path;
  private final LocalMemory local;
  private int written;
  private boolean over;

  /** @param local the source as registered; null where the peer's memory is mapped, or what is written sealed */
  GrantedWrite(
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

  /** Writes the next chunk, and FIN behind the last one. Returns false when there is no room now. */
  boolean step(BulkLane lane) {
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
   * FIN goes with the last chunk, and so in the same call to the kernel; without room for it in a later step. Into
   * mapped memory there is no such call, and FIN takes a step of its own.
   */
  private void wrote(BulkLane lane, int bytes) {
    written += bytes;
    if (written == grant.lengthBytes() && !lane.isMapped()) {
      finish(lane);
    }
  }

  /** What is sealed goes on to its end: half a portion would look like one that somebody changed. */
  private boolean isWanted(BulkLane lane) {
    return lane.sealed() == null ? !send.isAbandoned() : send.state() != RendezvousSendState.OVER;
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
      int length = bytes + ChunkSealer.TAG_BYTES;
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

  /** Behind what was written, over the same endpoint, whose order carries it. */
  private boolean finish(BulkLane lane) {
    over = path.fin(lane.subchannel(), send.id(), grant.grant());
    if (over) {
      send.written();
    }
    return over;
  }

  boolean isOver() {
    return over;
  }

  /** Its endpoint failed; the receiver asks again for what it lacks. */
  void lost() {
    over = true;
    send.written();
  }
}
