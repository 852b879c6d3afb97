package io.railflux.engine.path;

import io.railflux.engine.ring.RingWriter;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.RemoteRegion;
import io.railflux.policy.ChannelKind;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The ring that the peer grants this side on one subchannel, and its replacement while it is in use (CH3: T 3.3).
 * Former rings stay attached until their frames are acknowledged, because a mapped ring is the only copy of its
 * frames. Engine thread only.
 */
public final class PeerRing {

  /**
   * State of the replacement. Allowed transitions:
   *
   * <pre>
   *   STEADY  --offer attached-----------------------> OFFERED
   *   OFFERED --RING_SWITCH published----------------> STEADY
   * </pre>
   */
  public enum State {
    /** This side writes into the ring; the peer offers no other ring. */
    STEADY,
    /** The offered ring waits for room for the frame that ends the present ring. */
    OFFERED;

    public boolean canBecome(State next) {
      return this != next;
    }
  }

  /** A ring that was left, the memory from which its frames were posted, and the last request that uses either. */
  private record Former(RemoteRegion region, LocalMemory source, long lastRequest) {

    boolean isIn(Predicate<ByteBuffer> unacknowledged) {
      return region != null && region.mapped() != null && unacknowledged.test(region.mapped());
    }

    void close() {
      if (region != null) {
        region.close();
      }
      if (source != null) {
        source.close();
      }
    }
  }

  /** A peer that acknowledges nothing could otherwise make this side attach any number of rings. */
  private static final int MAX_FORMER = 8;

  private final RingWriter writer;
  private State state = State.STEADY;
  private RemoteRegion region;

  // Registered memory from which frames are posted: the log, or staged sealed frames; null without
  // posts.
  private LocalMemory source;

  private volatile ChannelKind kind;
  private RemoteRegion offered;
  private LocalMemory offeredSource;
  private ChannelKind offeredKind;
  private final List<Former> former = new ArrayList<>();

  /**
   * @param source registered memory from which frames are posted; null if none are
   * @param kind kind of the message channel, for display
   */
  public PeerRing(RingWriter writer, RemoteRegion region, LocalMemory source, ChannelKind kind) {
    this.writer = writer;
    this.region = region;
    this.source = source;
    this.kind = kind;
  }

  private void become(State next) {
    if (!state.canBecome(next)) {
      throw new IllegalStateException("ring of the peer: " + state + " cannot become " + next);
    }
    state = next;
  }

  public State state() {
    return state;
  }

  RingWriter writer() {
    return writer;
  }

  /** The kind of the message channel. Any thread. */
  public ChannelKind kind() {
    return kind;
  }

  /**
   * Records the ring that the peer offers.
   *
   * @param newSource registered memory of the size of the ring for staged sealed frames; null for plain frames
   */
  public void offered(RemoteRegion newRegion, LocalMemory newSource, ChannelKind newKind) {
    become(State.OFFERED);
    offered = newRegion;
    offeredSource = newSource;
    offeredKind = newKind;
  }

  /**
   * Leaves the present ring for the offered one. Gathered frames were published.
   *
   * @return false, without effect, if the present ring has no room for its last frame now, or frames of too many former
   *     rings are not acknowledged
   */
  public boolean follow() {
    if (former.size() >= MAX_FORMER || !writer.isReady(FrameHeader.SLOT_BYTES, 0)) {
      return false;
    }
    become(State.STEADY);
    writer.publishLinkFrame(FrameType.RING_SWITCH);
    writer.continueIn(offered, offeredSource);
    former.add(new Former(region, offeredSource == null ? null : source, writer.posted()));
    region = offered;
    source = offeredSource == null ? source : offeredSource;
    kind = offeredKind;
    offered = null;
    offeredSource = null;
    return true;
  }

  /** Posts plain frames from another log from now on. */
  void postFrom(LocalMemory log) {
    writer.postFrom(log);
    former.add(new Former(null, source, writer.posted()));
    source = log;
  }

  /**
   * Detaches former rings that no frame needs any more.
   *
   * @param unacknowledged whether a memory holds unacknowledged frames
   * @return whether former rings are left
   */
  public boolean releaseFormer(Predicate<ByteBuffer> unacknowledged) {
    former.removeIf(left -> {
      boolean unused = writer.hasCompleted(left.lastRequest) && !left.isIn(unacknowledged);
      if (unused) {
        left.close();
      }
      return unused;
    });
    return !former.isEmpty();
  }

  /** Whether any ring of the subchannel holds unacknowledged frames that only this ring has. */
  public boolean holds(Predicate<ByteBuffer> unacknowledged) {
    return (writer.mapped() != null && unacknowledged.test(writer.mapped()))
        || former.stream().anyMatch(left -> left.isIn(unacknowledged));
  }

  /**
   * Ends the registrations of the memory that frames are posted from. The endpoint posts nothing any more. Mapped rings
   * stay attached until the endpoint is closed.
   */
  void close() {
    for (Former left : former) {
      if (left.source != null) {
        left.source.close();
      }
    }
    if (source != null) {
      source.close();
    }
    if (offeredSource != null) {
      offeredSource.close();
    }
  }
}
