package io.railflux.engine.rendezvous;

import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.path.BulkLane;
import io.railflux.engine.path.ExposedWindow;
import io.railflux.engine.path.Striper;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.seal.SealedChunks;
import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Access;
import io.railflux.fabric.Capabilities;
import io.railflux.fabric.Capabilities.Feature;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.wire.Region;
import io.railflux.wire.RendezvousDone;
import io.railflux.wire.RendezvousReply;
import io.railflux.wire.RendezvousStart;
import io.railflux.wire.RendezvousStart.Stripe;
import java.util.ArrayDeque;
import java.util.List;

/**
 * One outgoing large message. It is offered for reads, or written to the memory that the receiver grants, until the
 * receiver sends DONE. The receiver knows what arrived and drives the transfer: after the loss of a subchannel it
 * requests the missing bytes again. Engine thread only.
 */
public final class RendezvousSend implements BulkLane.Requester {

  /**
   * Sending half of a large message (RV1, RV2). Allowed transitions:
   *
   * <pre>
   *   OFFERED            --a grant to write a portion----------> WRITING
   *   WRITING            --all grants written or lost----------> OFFERED
   *   OFFERED, WRITING   --stream cancelled, refused or lost---> ABANDONED
   *   any                --DONE, or the end of the channel-----> OVER
   * </pre>
   */
  public enum State {
    /** START was sent. The receiver reads, waits for memory, or will grant portions. */
    OFFERED,
    /** The receiver granted portions to write. */
    WRITING,
    /** No longer wanted. Grants are returned unwritten until the receiver sends DONE. */
    ABANDONED,
    /** The source is no longer in use. */
    OVER;

    public boolean canBecome(State next) {
      return switch (this) {
        case OFFERED -> next == WRITING || next == ABANDONED || next == OVER;
        case WRITING -> next == OFFERED || next == ABANDONED || next == OVER;
        case ABANDONED -> next == OVER;
        case OVER -> false;
      };
    }
  }

  /** Exceeds the maximum number of outstanding grants of a receiver, including grants of lost subchannels. */
  private static final int MAX_GRANTS = 512;

  private final RendezvousSends owner;
  private final long id;
  private final RendezvousSends.Sender stream;
  private final long streamSeq;
  private final SourceMemory source;
  // Grants that wait until their subchannel is live here.
  private final ArrayDeque<RendezvousReply> grants = new ArrayDeque<>();
  private State state = State.OFFERED;
  private ExposedRegion exposed;
  private Subchannel exposedBy;
  private int writes;
  private int requests;
  private List<Stripe> stripes = List.of();
  private Striper.Times times;
  private boolean arrived;
  private boolean released;

  /** @param stream the stream of the message; null for a request */
  RendezvousSend(
      RendezvousSends owner,
      long id,
      RendezvousSends.Sender stream,
      long streamSeq,
      SourceMemory source) {
    this.owner = owner;
    this.id = id;
    this.stream = stream;
    this.streamSeq = streamSeq;
    this.source = source;
  }

  long id() {
    return id;
  }

  RendezvousSends.Sender stream() {
    return stream;
  }

  long streamSeq() {
    return streamSeq;
  }

  SourceMemory source() {
    return source;
  }

  State state() {
    return state;
  }

  boolean isAbandoned() {
    return state == State.ABANDONED || state == State.OVER;
  }

  private void become(State next) {
    if (!state.canBecome(next)) {
      throw new IllegalStateException("large message " + id + ": " + state + " to " + next);
    }
    state = next;
  }

  /** Returns the START of a source that the peer can read in place. */
  RendezvousStart inPlace(int kind) {
    ExposedWindow.Source.Place place = source.place();
    return readable(place.subchannel(), place.region(), place.offset(), kind);
  }

  /**
   * Returns the START of any other source: where the peer can read it, or how it is written.
   *
   * @param cut shares of the subchannels that write; empty if the peer decides
   * @param subchannel subchannel over which the source may be read; null for none
   */
  RendezvousStart offer(List<Stripe> cut, Subchannel subchannel, int kind) {
    stripes = cut;
    underWay(1);
    // Sealed payload is written, never read: the source itself is in the clear.
    if (subchannel != null && subchannel.sealing == null && source.lengthBytes() > 0) {
      Capabilities can = subchannel.capabilities();
      boolean possible = can.has(Feature.READ) && can.has(Feature.EXPOSES_USER_MEMORY);
      if (owner.mode.reads(possible, can.has(Feature.OFFLOADED_READS))) {
        expose(subchannel);
      }
    }
    return exposed == null
        ? RendezvousStart.notReadable(id, source.lengthBytes(), kind, stripes)
        : readable(exposedBy, exposed, 0, kind);
  }

  private RendezvousStart readable(
      Subchannel subchannel, ExposedRegion region, int offset, int kind) {
    Region where = new Region(region.key(), region.lengthBytes(), offset);
    return RendezvousStart.readable(id, source.lengthBytes(), subchannel.id, where, kind);
  }

  private void expose(Subchannel subchannel) {
    try {
      exposed = subchannel.endpoint.expose(source.exposable(), Access.REMOTE_READ);
      exposedBy = subchannel;
    } catch (FabricUnavailableException | IllegalStateException e) {
      // Falls back to writes: the limit of pinned memory is reached, or the endpoint has just
      // failed.
      exposed = null;
    }
  }

  private void underWay(int sign) {
    for (Stripe stripe : stripes) {
      Subchannel subchannel = owner.paths.find(stripe.subchannel());
      if (subchannel != null) {
        subchannel.lane().striped(sign * stripe.lengthBytes());
      }
    }
  }

  /** Handles a grant of the peer for one portion. */
  void onReply(RendezvousReply reply) throws ProtocolViolation {
    if (reply.lengthBytes() > source.lengthBytes() - reply.dataOffset()) {
      throw new ProtocolViolation("RNDZ_REPLY requests " + reply.lengthBytes() + " B at "
          + reply.dataOffset() + " of a message of " + source.lengthBytes() + " B");
    }
    grants.add(reply);
    if (grants.size() + writes > MAX_GRANTS) {
      throw new ProtocolViolation(
          "RNDZ_REPLY requests more than " + MAX_GRANTS + " portions of a message at once");
    }
    place();
  }

  /** Returns whether no grant has to wait. */
  boolean placeAll() {
    place();
    return grants.isEmpty();
  }

  /** Hands grants to their subchannels if these are live here. */
  private void place() {
    for (int i = grants.size(); i > 0; i--) {
      RendezvousReply grant = grants.poll();
      if (grant == null) {
        // Placing an earlier grant failed its subchannel, which removed the other grants for that
        // subchannel.
        return;
      }
      Subchannel subchannel = owner.paths.find(grant.subchannel());
      if (subchannel == null) {
        grants.add(grant);
      } else {
        place(grant, subchannel);
      }
    }
  }

  private void place(RendezvousReply grant, Subchannel subchannel) {
    BulkLane lane = subchannel.lane();
    try {
      if (lane.sealed() != null) {
        SealedChunks.requireFits(grant);
      }
      var region = lane.region(grant.region().key(), grant.region().bytes());
      boolean copied = lane.isMapped() || lane.sealed() != null;
      LocalMemory local = copied ? null : source.local(owner.engine, subchannel.rail);
      lane.add(
          stream == null ? this : stream,
          new GrantedWrite(this, grant, region, owner.sendPath, local));
      writes++;
      if (state == State.OFFERED) {
        become(State.WRITING);
      }
    } catch (RemoteAccessException e) {
      owner.session.failSubchannel(subchannel, "cannot write a large message: " + e.getMessage());
    }
  }

  boolean hasGrants() {
    return !grants.isEmpty();
  }

  /** Handles the completion of one grant. */
  void written() {
    writes--;
    if (writes == 0 && state == State.WRITING) {
      become(State.OFFERED);
    }
  }

  void requested() {
    requests++;
  }

  @Override
  public void completed(Subchannel subchannel, int bytes, long tookNanos) {
    if (times == null) {
      times = new Striper.Times();
    }
    owner.traffic.moved(bytes);
    boolean copied = subchannel.capabilities().mapped();
    times.add(subchannel.id, bytes, tookNanos, copied ? 0 : owner.engine.unseenNanos());
    answered();
  }

  /** Counts as an answer only: a lost path gives no sample for the weights. */
  @Override
  public void flushed() {
    answered();
  }

  private void answered() {
    requests--;
    releaseIfUnused();
  }

  /** Handles the loss of a subchannel: nothing is written or read through it any more. */
  void lost(Subchannel subchannel) {
    grants.removeIf(grant -> grant.subchannel() == subchannel.id);
    if (exposedBy == subchannel) {
      hide();
    }
  }

  private void hide() {
    if (exposed != null) {
      exposed.close();
      exposed = null;
      exposedBy = null;
    }
  }

  /** Abandons the message with its stream. The receiver must still confirm that it no longer uses the source. */
  void abandon() {
    if (!isAbandoned()) {
      become(State.ABANDONED);
    }
  }

  /**
   * Handles the receiver's DONE.
   *
   * @param readNanos time in which the receiver read the whole message, in nanoseconds; 0 if it did not read or has no
   *     reading
   */
  void done(boolean hasArrived, long readNanos) {
    arrived = hasArrived;
    if (readNanos > 0 && exposedBy != null && times == null) {
      wasRead(readNanos);
    }
    underWay(-1);
    become(State.OVER);
    grants.clear();
    hide();
    releaseIfUnused();
  }

  private void wasRead(long readNanos) {
    owner.traffic.moved(source.lengthBytes());
    boolean late = readNanos == RendezvousDone.LATE;
    times = new Striper.Times();
    times.add(exposedBy.id, source.lengthBytes(), readNanos, late ? readNanos : 0);
    if (!late) {
      exposedBy.lane().wasRead(source.lengthBytes(), readNanos);
    }
  }

  /**
   * Releases the source once no request uses it. After a premature DONE, the peer must not receive later contents of
   * this memory.
   */
  private void releaseIfUnused() {
    if (state == State.OVER && requests == 0 && !released) {
      released = true;
      source.release(owner.engine);
      if (arrived && times != null) {
        owner.sendPath.striper().moved(times);
      }
    }
  }

  boolean isReleased() {
    return released;
  }

  /** Ends the send. The channel has ended and its endpoints are closed. */
  void end() {
    if (state != State.OVER) {
      become(State.OVER);
    }
    requests = 0;
    releaseIfUnused();
  }
}
