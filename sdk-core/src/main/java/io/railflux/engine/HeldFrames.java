package io.railflux.engine;

import io.railflux.wire.FrameFlags;
import io.railflux.wire.ReceivedFrame;
import java.util.TreeMap;

/**
 * Messages of one stream that arrived before an earlier one (MR4): copies, so that their ring entries
 * return at once. Several rails only; the peer's bound of unacknowledged bytes bounds them too.
 */
final class HeldFrames {

  /** Bytes all streams of a peer may hold. */
  static final class Budget {

    private final long totalBytes;
    private long freeBytes;

    Budget(long bytes) {
      this.totalBytes = bytes;
      this.freeBytes = bytes;
    }

    boolean take(int bytes) {
      freeBytes -= bytes;
      return freeBytes >= 0;
    }

    void giveBack(int bytes) {
      freeBytes += bytes;
    }

    long takenBytes() {
      return totalBytes - freeBytes;
    }
  }

  private final Budget budget;
  // Ordered by distance, not by value: numbers may wrap.
  private final TreeMap<Long, FrameCopy> bySeq = new TreeMap<>((a, b) -> Long.signum(a - b));
  private final ReceivedFrame reader = new ReceivedFrame();

  HeldFrames(Budget budget) {
    this.budget = budget;
  }

  /** Copies the frame; false when the budget is exceeded. */
  boolean hold(ReceivedFrame frame, long nowNanos) {
    FrameCopy copy = FrameCopy.of(frame, nowNanos);
    bySeq.put(frame.streamSeq(), copy);
    return budget.take(copy.sizeBytes());
  }

  /** Delivers what follows without a gap; returns what the peer did wrong, or null. */
  String deliverTo(InboundStream stream, long nowNanos) {
    while (!bySeq.isEmpty() && !stream.isCut()) {
      long distance = bySeq.firstKey() - stream.expected();
      if (distance != 0) {
        return distance > 0 ? null : "message " + bySeq.firstKey() + " of a stream came twice";
      }
      FrameCopy copy = bySeq.pollFirstEntry().getValue();
      budget.giveBack(copy.sizeBytes());
      var violation = copy.readInto(reader);
      if (violation != null) {
        return violation.text();
      }
      long timeToLive = reader.timeToLiveNanos();
      if (timeToLive > 0 && nowNanos - copy.arrivedNanos() > timeToLive) {
        stream.dropExpired(reader.has(FrameFlags.LAST));
      } else {
        String wrong = stream.deliver(reader);
        if (wrong != null) {
          return wrong;
        }
      }
    }
    return null;
  }

  void clear() {
    bySeq.values().forEach(copy -> budget.giveBack(copy.sizeBytes()));
    bySeq.clear();
  }
}
