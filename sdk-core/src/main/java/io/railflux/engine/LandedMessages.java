package io.railflux.engine;

import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import io.railflux.wire.ReceivedFrame;
import java.util.ArrayList;
import java.util.TreeMap;

/** The large messages of one stream that are announced and not delivered. Engine thread only. */
final class LandedMessages {

  // Ordered by distance, not by value: numbers may wrap.
  private final TreeMap<Long, RendezvousReceive> bySeq =
      new TreeMap<>((a, b) -> Long.signum(a - b));
  private final ReceivedFrame reader = new ReceivedFrame();

  boolean contains(long streamSeq) {
    return bySeq.containsKey(streamSeq);
  }

  /** A sender keeps to this: what is delivered here is acknowledged there. */
  boolean isFull() {
    return bySeq.size() >= RendezvousSends.MOST;
  }

  void add(long streamSeq, RendezvousReceive receive) {
    bySeq.put(streamSeq, receive);
  }

  /** Delivers those whose turn it is; returns what the peer did wrong, or null. */
  String deliverTo(InboundStream stream, long nowNanos) {
    while (!bySeq.isEmpty() && !stream.isCut()) {
      long distance = bySeq.firstKey() - stream.expected();
      if (distance < 0) {
        return "message " + bySeq.firstKey() + " of a stream came twice";
      }
      if (distance > 0 || !bySeq.firstEntry().getValue().hasLanded()) {
        return null;
      }
      String wrong = deliver(bySeq.pollFirstEntry().getValue(), stream, nowNanos);
      if (wrong != null) {
        return wrong;
      }
    }
    return null;
  }

  private String deliver(RendezvousReceive receive, InboundStream stream, long nowNanos) {
    String wrong = receive.readInto(reader, FrameType.DATA);
    if (wrong != null) {
      receive.abandon();
      return wrong;
    }
    long timeToLive = reader.timeToLiveNanos();
    try {
      if (timeToLive > 0 && nowNanos - receive.arrivedNanos() > timeToLive) {
        stream.dropExpired(reader.has(FrameFlags.LAST));
        return null;
      }
      return stream.deliver(reader);
    } finally {
      receive.delivered(reader);
    }
  }

  /** Nobody wants them any more. */
  void clear() {
    // Each may tell its stream, or begin another one of it.
    var dropped = new ArrayList<>(bySeq.values());
    bySeq.clear();
    dropped.forEach(RendezvousReceive::abandon);
  }
}
