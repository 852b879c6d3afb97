package io.railflux.fabric.sim.memory;

import io.railflux.fabric.Capabilities;
import io.railflux.fabric.Capabilities.Feature;
import io.railflux.fabric.sim.events.EventKind;
import io.railflux.fabric.sim.events.EventQueue;
import io.railflux.fabric.sim.events.SimRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the bytes of incoming writes visible in pieces over time: in address order where the network declares it,
 * otherwise in any order, so that early readers see holes. The first piece of a small write appears with the last one
 * where the network declares that.
 */
public final class Placement {

  private static final int PIECE_BYTES = 64;
  private static final int MAX_PIECES = 32;

  private static final class Piece {
    private final SimRegion region;
    private final int offset;
    private final byte[] bytes;
    private final int from;
    private final int length;
    private Piece withIt;

    Piece(SimRegion region, int offset, byte[] bytes, int from, int length) {
      this.region = region;
      this.offset = offset;
      this.bytes = bytes;
      this.from = from;
      this.length = length;
    }

    void apply() {
      if (region.isOpen()) {
        region.write(offset, bytes, from, length);
      }
      if (withIt != null) {
        withIt.apply();
      }
    }

    boolean overlaps(Piece other) {
      return region == other.region
          && offset < other.offset + other.length
          && other.offset < offset + length;
    }
  }

  private final EventQueue events;
  private final SimRandom random;
  private final long spreadNanos;
  private final long subject;
  private final boolean ordered;
  private final int atOnceBytes;
  private final List<Piece> pending = new ArrayList<>();

  /**
   * @param spreadNanos time over which the bytes of one write become visible
   * @param subject number of the endpoint, for the trace
   */
  public Placement(
      EventQueue events,
      SimRandom random,
      long spreadNanos,
      Capabilities capabilities,
      long subject) {
    this.events = events;
    this.random = random;
    this.spreadNanos = spreadNanos;
    this.subject = subject;
    this.ordered = capabilities.orderedPlacement();
    this.atOnceBytes =
        capabilities.has(Feature.SMALL_WRITES_AT_ONCE) ? Capabilities.SMALL_WRITE_BYTES : 0;
  }

  /** Begins to place; returns the delay until everything is visible. */
  public long place(SimRegion region, int offset, byte[] bytes) {
    split(region, offset, bytes);
    boolean atOnce = pending.size() == 1 || (ordered && random.chance(0.5));
    if (atOnce || pending.isEmpty()) {
      flush();
      return 0;
    }
    int looks = 1 + random.below(3);
    for (int i = 0; i < looks; i++) {
      after(random.between(0, spreadNanos), this::applySome);
    }
    after(spreadNanos, this::flush);
    return spreadNanos;
  }

  private void after(long delay, Runnable action) {
    events.after(delay, EventKind.PLACE, subject, action);
  }

  /** Pieces end at multiples of 64 bytes, within which stores are not torn. */
  private void split(SimRegion region, int offset, byte[] bytes) {
    int size = Math.max(PIECE_BYTES, SimRegion.rounded(bytes.length / MAX_PIECES));
    int first = pending.size();
    int from = 0;
    while (from < bytes.length) {
      int target = offset + from;
      int length = Math.min(bytes.length - from, size - target % size);
      pending.add(new Piece(region, target, bytes, from, length));
      from += length;
    }
    if (bytes.length <= atOnceBytes && first < pending.size() - 1) {
      Piece begin = pending.remove(first);
      pending.get(pending.size() - 1).withIt = begin;
    }
  }

  private void applySome() {
    int count = pending.isEmpty() ? 0 : random.below(pending.size()) + 1;
    for (int i = 0; i < count; i++) {
      applyOne(ordered ? 0 : random.below(pending.size()));
    }
  }

  /** Of overlapping writes the later one wins, regardless of the other order. */
  private void applyOne(int chosen) {
    int index = chosen;
    int earlier = firstOverlap(index);
    while (earlier < index) {
      index = earlier;
      earlier = firstOverlap(index);
    }
    pending.remove(index).apply();
  }

  private int firstOverlap(int index) {
    int earlier = 0;
    while (!pending.get(earlier).overlaps(pending.get(index))) {
      earlier++;
    }
    return earlier;
  }

  /** Completes the writes that later sends, reads and atomics of the endpoint rely on. */
  public void flush() {
    pending.forEach(Piece::apply);
    pending.clear();
  }

  /** End of the endpoint: each pending piece is placed or dropped. */
  public void settle() {
    for (Piece piece : pending) {
      boolean there = random.chance(0.5);
      if (there) {
        piece.apply();
      } else if (ordered) {
        break;
      }
    }
    pending.clear();
  }
}
