package io.railflux.samples.bench.engine;

import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.ring.OutgoingRing;
import io.railflux.engine.send.SendPath;
import io.railflux.engine.session.VirtualChannel;
import io.railflux.engine.stream.OutboundStream;
import io.railflux.pipeline.Slot;
import io.railflux.policy.Marker;
import java.io.IOException;

/**
 * A peer's mapped ring and the complete send path to it. No reader exists: published frames are marked as consumed.
 */
final class UnreadRing implements AutoCloseable {

  /** Number of 64-byte messages in one frame. */
  static final int MESSAGES = 61;

  private final EnginePair engines = EnginePair.connected();
  private final VirtualChannel channel = engines.toFar();
  private final SendPath sendPath = channel.sendPath();
  private final Subchannel subchannel = channel.live().get(0);
  private final OutboundStream stream;
  private final int sizeBytes;
  private long streamSeq;

  UnreadRing(int sizeBytes) throws IOException {
    this.sizeBytes = sizeBytes;
    this.stream = EndlessStream.open(channel, "unread", "none");
    engines.stepUntil(() -> channel.readings().unacknowledgedFrames() == 0);
    lookForRoom();
  }

  /** Forgets the known free space. */
  void lookForRoom() {
    sendPath.lookForRoom();
  }

  /** Claims a frame without publishing it: the next claim returns the same place. */
  Slot claimFrame() {
    Slot slot = sendPath.claimFrame(0, sizeBytes, 0, Marker.STREAM);
    if (slot == null) {
      throw new IllegalStateException("the ring is full");
    }
    return slot;
  }

  void publishBatch() {
    channel.engine().expectMore(true);
    commit();
    for (int i = 1; i < MESSAGES; i++) {
      gather();
    }
    sendPath.publishGathered();
    consume();
  }

  void publishAlone() {
    channel.engine().expectMore(false);
    commit();
    consume();
  }

  private void commit() {
    Slot slot = sendPath.claimMessage(stream, 0, sizeBytes, 0);
    slot.bodyBytes = sizeBytes;
    sendPath.commitMessage(stream, false, streamSeq++);
  }

  private void gather() {
    if (sendPath.gathering().claim(stream, sizeBytes) != null) {
      sendPath.gathering().add(sizeBytes);
    } else {
      // End of the ring.
      sendPath.publishGathered();
      commit();
    }
  }

  /** Simulates the credit of the peer at a quarter of the ring. */
  private void consume() {
    OutgoingRing ring = subchannel.writer().ring();
    if (ring.occupied() > ring.size() / 4) {
      try {
        channel.onPositions(subchannel, ring.written(), sendPath.window().next());
      } catch (ProtocolViolation e) {
        throw new AssertionError(e);
      }
      lookForRoom();
    }
  }

  @Override
  public void close() {
    engines.close();
  }
}
