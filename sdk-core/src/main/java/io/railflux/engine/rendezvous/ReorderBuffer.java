package io.railflux.engine.rendezvous;

import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.send.HeldFrames;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import io.railflux.wire.ReceivedFrame;
import java.util.ArrayList;
import java.util.TreeMap;

/** The announced, undelivered large messages of one stream. Engine thread only. */
public final class ReorderBuffer {

  // Ordered by distance, not by value: numbers may wrap.
  private final TreeMap<Long, RendezvousReceive> bySeq =
      new TreeMap<>((a, b) -> Long.signum(a - b));
  private final ReceivedFrame reader = new ReceivedFrame();

  public boolean contains(long streamSeq) {
    return bySeq.containsKey(streamSeq);
  }

  /** Returns whether the buffer is full. The sender observes the same bound: a delivery here is acknowledged there. */
  public boolean isFull() {
    return bySeq.size() >= RendezvousSends.MAX_TRANSFERS;
  }

  public void add(long streamSeq, RendezvousReceive receive) {
    bySeq.put(streamSeq, receive);
  }

  /** Delivers the messages whose turn has come. */
  public void deliverTo(HeldFrames.Receiver stream, long nowNanos) throws ProtocolViolation {
    while (!bySeq.isEmpty() && !stream.isCut()) {
      long distance = bySeq.firstKey() - stream.expected();
      if (distance < 0) {
        throw new ProtocolViolation("message " + bySeq.firstKey() + " of a stream came twice");
      }
      if (distance > 0 || !bySeq.firstEntry().getValue().hasLanded()) {
        return;
      }
      deliver(bySeq.pollFirstEntry().getValue(), stream, nowNanos);
    }
  }

  private void deliver(RendezvousReceive receive, HeldFrames.Receiver stream, long nowNanos)
      throws ProtocolViolation {
    try {
      receive.readInto(reader, FrameType.DATA);
    } catch (ProtocolViolation e) {
      receive.abandon();
      throw e;
    }
    long timeToLive = reader.timeToLiveNanos();
    try {
      if (timeToLive > 0 && nowNanos - receive.arrivedNanos() > timeToLive) {
        stream.dropExpired(reader.has(FrameFlags.LAST));
      } else {
        stream.deliver(reader);
      }
    } finally {
      receive.delivered(reader);
    }
  }

  /** Drops all messages, which are no longer wanted. */
  public void clear() {
    // Each drop may notify the stream or begin another message of the stream.
    var dropped = new ArrayList<>(bySeq.values());
    bySeq.clear();
    dropped.forEach(RendezvousReceive::abandon);
  }
}
