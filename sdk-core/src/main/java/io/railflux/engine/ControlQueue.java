package io.railflux.engine;

import io.railflux.pipeline.Slot;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import java.util.ArrayDeque;

/**
 * Control frames of one peer, sent in order and ahead of messages; they wait here only while the
 * reserve of ring and window is used up. Demand is kept as the set of streams that have some to tell,
 * so that a stream that asks often while nothing can be sent waits once. Engine thread only.
 */
final class ControlQueue {

  private final SendPath path;
  private final ArrayDeque<ControlFrame> waiting = new ArrayDeque<>();
  private final ArrayDeque<InboundStream> demanding = new ArrayDeque<>();

  ControlQueue(SendPath path) {
    this.path = path;
  }

  void send(ControlFrame frame) {
    if (!waiting.isEmpty() || !post(frame, SendPath.Reserve.CONTROL)) {
      waiting.add(frame);
    }
  }

  /** For a RESUME, which acts out of turn anyway and may use the last of the reserve. */
  boolean sendAtOnce(ControlFrame frame) {
    return post(frame, SendPath.Reserve.NONE);
  }

  /** The stream has demand to tell; it is asked for its position when the frame is written. */
  void demand(InboundStream stream) {
    demanding.add(stream);
  }

  int flush() {
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

  /** Whether what is sent now would wait behind earlier frames. */
  boolean isBlocked() {
    return !waiting.isEmpty();
  }

  int waiting() {
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
      frame.owner().endTold();
    }
    return true;
  }

  private boolean postDemand(InboundStream stream) {
    if (!stream.hasDemandToTell()) {
      stream.demandTold();
      return true;
    }
    int flags = stream.demandFlags();
    if (path.claimControl(flags, 0, 0, SendPath.Reserve.CONTROL) == null) {
      return false;
    }
    path.commit(null, FrameType.DEMAND, 0, stream.id(), stream.demandPosition());
    stream.demandTold();
    return true;
  }
}
