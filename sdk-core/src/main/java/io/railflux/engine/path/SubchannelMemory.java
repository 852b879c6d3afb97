package io.railflux.engine.path;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Direct memory of one subchannel in one piece. The peer writes into it if the fabric exposes engine memory, and
 * frames are posted from it. The session keeps the memory of a lost subchannel for the next one.
 */
public final class SubchannelMemory {

  /**
   * Division of the memory, in bytes.
   *
   * @param ring size of the peer's ring; 0 if the fabric allocates it
   * @param words size of the control words; 0 if the fabric allocates them
   * @param scratch memory from which small items are posted; 0 if the peer's ring is mapped
   * @param staged memory from which sealed frames are posted; 0 for plain frames
   */
  public record Layout(int ring, int words, int scratch, int staged) {

    public long bytes() {
      return (long) ring + words + scratch + staged;
    }

    /** Whether memory of this layout suits a request for {@code other}. */
    boolean serves(Layout other) {
      return ring == other.ring
          && words == other.words
          && scratch == other.scratch
          && staged >= other.staged;
    }
  }

  private final Layout layout;
  private final ByteBuffer whole;
  private Spares owner;

  public SubchannelMemory(Layout layout, ByteBuffer whole) {
    this.layout = layout;
    this.whole = whole;
  }

  public Layout layout() {
    return layout;
  }

  /** Sets the destination of the memory after its use; null for none. */
  void owner(Spares spares) {
    owner = spares;
  }

  @SuppressWarnings("ReferenceEquality") // One instance per session.
  boolean belongsTo(Spares spares) {
    return owner == spares;
  }

  /** Releases the memory, which is no longer read or written. */
  public void release() {
    if (owner != null) {
      owner.keep(this);
    }
  }

  /** Zeroes the memory, like fresh memory. */
  void clear() {
    whole.clear();
    while (whole.remaining() >= Long.BYTES) {
      whole.putLong(0);
    }
    whole.clear();
  }

  public ByteBuffer ring() {
    return part(0, layout.ring);
  }

  public ByteBuffer words() {
    return part(layout.ring, layout.words);
  }

  public ByteBuffer scratch() {
    return part(layout.ring + layout.words, layout.scratch);
  }

  public ByteBuffer staged() {
    return part(layout.ring + layout.words + layout.scratch, layout.staged);
  }

  private ByteBuffer part(int offset, int bytes) {
    return whole.slice(offset, bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Memory of lost subchannels that a session keeps. A resumption then needs no new memory, even at the limit of
   * the JVM. The session keeps at most the memory of its largest number of live subchannels. Engine thread only.
   */
  public static final class Spares {

    private final List<SubchannelMemory> spares = new ArrayList<>();
    private int lent;
    private int most;
    private boolean closed;

    /** Returns zeroed memory of the layout, or null. */
    public SubchannelMemory take(SubchannelMemory.Layout layout) {
      for (SubchannelMemory spare : spares) {
        if (spare.layout().serves(layout)) {
          spares.remove(spare);
          lent++;
          spare.clear();
          return spare;
        }
      }
      return null;
    }

    /** Sets this store as the destination of the subchannel's memory. */
    public void adopt(SubchannelMemory memory) {
      if (!memory.belongsTo(this)) {
        memory.owner(this);
        lent++;
      }
    }

    /** Another subchannel is live. */
    public void joined(List<Subchannel> live) {
      int have = 0;
      for (Subchannel subchannel : live) {
        have += subchannel.memory.own() != null && !subchannel.further ? 1 : 0;
      }
      most = Math.max(most, have);
    }

    /** Keeps the memory that a subchannel no longer needs. */
    void keep(SubchannelMemory memory) {
      lent--;
      if (!closed && lent + spares.size() < most) {
        spares.add(memory);
      } else {
        memory.owner(null);
      }
    }

    public void close() {
      closed = true;
      spares.clear();
    }
  }
}
