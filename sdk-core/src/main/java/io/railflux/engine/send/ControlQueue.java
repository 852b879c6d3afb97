package io.railflux.engine.send;

import io.railflux.pipeline.Slot;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import java.util.ArrayDeque;

/**
 * Control frames of one peer, sent in order and ahead of messages. They wait here only while the reserve of ring
 * and window is exhausted. Demand is a set of streams, so that a stream with frequent demand waits once. Engine
 * thread only.
 */
public final class ControlQueue {

  /** A receiving stream whose demand is sent to the peer. Engine thread only. */
  public interface DemandSource {

    /** The number of the stream. */
    long id();

    /** Whether the demand grew since it was last sent. */
    boolean hasUnsentDemand();

    /** Flags of the DEMAND frame. */
    int demandFlags();

    /** The position up to which messages are requested. */
    long demandPosition();

    /** The demand was written to a frame, or there is none. */
    void demandSent();
  }

  private final SendPath path;
  private final ArrayDeque<ControlFrame> waiting = new ArrayDeque<>();
  private final ArrayDeque<DemandSource> demanding = new ArrayDeque<>();

  public ControlQueue(SendPath path) {
    this.path = path;
  }

  public void send(ControlFrame frame) {
    if (!waiting.isEmpty() || !post(frame, SendPath.Reserve.CONTROL)) {
      waiting.add(frame);
    }
  }

  /** Sends a RESUME, which ignores the order and may use the last of the reserve. */
  public boolean sendAtOnce(ControlFrame frame) {
    return post(frame, SendPath.Reserve.NONE);
  }

  /** Queues the stream's demand; its position is read when the frame is written. */
  public void demand(DemandSource stream) {
    demanding.add(stream);
  }

  public int flush() {
    int sent = 0;
    while (!waiting.isEmpty() && post(waiting.peek(), SendPath.Reserve.CONTROL)) {
      waiting.poll();
      sent++;
    }
    while (waiting.isEmpty() && !demanding.isEmpty() && postDemand(demanding.peek())) {
      demanding.poll();
      sent++;
    }
    return sent;
  }

  /** Whether a new frame would wait behind earlier frames. */
  public boolean isBlocked() {
    return !waiting.isEmpty();
  }

  public int waiting() {
    return waiting.size() + demanding.size();
  }

  private boolean post(ControlFrame frame, SendPath.Reserve reserve) {
    int metadataBytes = frame.metadata() == null ? 0 : frame.metadata().remaining();
    int flags = frame.flags | FrameFlags.ofMessage(metadataBytes, frame.timeToLiveNanos() > 0);
    Slot slot = path.claimControl(flags, frame.body().remaining(), metadataBytes, reserve);
    if (slot == null) {
      return false;
    }
    slot.metadata = frame.metadata();
    slot.timeToLiveNanos = frame.timeToLiveNanos();
    slot.bodyBytes = frame.body().remaining();
    slot.buffer.put(slot.bodyOffset, frame.body(), frame.body().position(), slot.bodyBytes);
    path.commit(frame.owner(), frame.type, 0, frame.streamId, frame.streamSeq);
    if (frame.owner() != null) {
      frame.owner().endSent();
    }
    return true;
  }

  private boolean postDemand(DemandSource stream) {
    if (!stream.hasUnsentDemand()) {
      stream.demandSent();
      return true;
    }
    int flags = stream.demandFlags();
    if (path.claimControl(flags, 0, 0, SendPath.Reserve.CONTROL) == null) {
      return false;
    }
    path.commit(null, FrameType.DEMAND, 0, stream.id(), stream.demandPosition());
    stream.demandSent();
    return true;
  }
}
