package io.railflux.engine;

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
 * One large message on its way: offered to be read, or written where and when the receiver says, until
 * that says DONE. The receiver knows what arrived and drives: when a subchannel is lost it asks again for
 * what it lacks. Engine thread only.
 */
final class RendezvousSend implements BulkLane.Requester {

  /** More than a receiver has out at a time, with those of subchannels that were lost. */
  private static final int MOST_GRANTS = 512;

  private final VirtualChannel channel;
  private final long id;
  private final OutboundStream stream;
  private final long streamSeq;
  private final SourceMemory source;
  // Until their subchannel is live here.
  private final ArrayDeque<RendezvousReply> grants = new ArrayDeque<>();
  private RendezvousSendState state = RendezvousSendState.OFFERED;
  private ExposedRegion exposed;
  private Subchannel exposedBy;
  private int writes;
  private int requests;
  private List<Stripe> stripes = List.of();
  private StripeTimes times;
  private boolean arrived;
  private boolean released;

  /** @param stream whose message it is; null for a request */
  RendezvousSend(
      VirtualChannel channel, long id, OutboundStream stream, long streamSeq, SourceMemory source) {
    this.channel = channel;
    this.id = id;
    this.stream = stream;
    this.streamSeq = streamSeq;
    this.source = source;
  }

  long id() {
    return id;
  }

  OutboundStream stream() {
    return stream;
  }

  long streamSeq() {
    return streamSeq;
  }

  SourceMemory source() {
    return source;
  }

  RendezvousSendState state() {
    return state;
  }

  boolean isAbandoned() {
    return state == RendezvousSendState.ABANDONED || state == RendezvousSendState.OVER;
  }

  private void become(RendezvousSendState next) {
    if (!state.canBecome(next)) {
      throw new IllegalStateException("large message " + id + ": " + state + " to " + next);
    }
    state = next;
  }

  /** What START tells of what lies where the peer can look at it. */
  RendezvousStart inPlace(int kind) {
    SourceWindow.Place place = source.place();
    return readable(place.subchannel(), place.region(), place.offset(), kind);
  }

  /**
   * What START tells else: where the peer can read the source, or how it is written.
   *
   * @param cut what is written over which subchannel; none: as the peer likes
   * @param subchannel over which it may be read; null: over none
   */
  RendezvousStart offer(List<Stripe> cut, Subchannel subchannel, int kind) {
    stripes = cut;
    underWay(1);
    // What is sealed is written: the source itself is in the clear.
    if (subchannel != null && subchannel.sealing == null && source.lengthBytes() > 0) {
      Capabilities can = subchannel.capabilities();
      boolean possible = can.has(Feature.READ) && can.has(Feature.EXPOSES_USER_MEMORY);
      if (channel.largeConfig().mode().reads(possible, can.has(Feature.OFFLOADED_READS))) {
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
      // It is written instead: what the device may pin is used up, or the endpoint just failed.
      exposed = null;
    }
  }

  private void underWay(int sign) {
    for (Stripe stripe : stripes) {
      Subchannel subchannel = channel.paths().find(stripe.subchannel());
      if (subchannel != null) {
        subchannel.lane().striped(sign * stripe.lengthBytes());
      }
    }
  }

  /** Where to write a portion. Returns what is wrong with that, or null. */
  String onReply(RendezvousReply reply) {
    if (reply.lengthBytes() > source.lengthBytes() - reply.dataOffset()) {
      return "RNDZ_REPLY asks for " + reply.lengthBytes() + " B at " + reply.dataOffset()
          + " of a message of " + source.lengthBytes() + " B";
    }
    grants.add(reply);
    if (grants.size() + writes > MOST_GRANTS) {
      return "RNDZ_REPLY asks for more than " + MOST_GRANTS + " portions of a message at once";
    }
    place();
    return null;
  }

  /** Returns whether no grant is left that has to wait. */
  boolean placeAll() {
    place();
    return grants.isEmpty();
  }

  /** Hands grants to the subchannels they are for, as far as those are live here. */
  private void place() {
    for (int i = grants.size(); i > 0; i--) {
      RendezvousReply grant = grants.poll();
      if (grant == null) {
        // With a subchannel that was lost over an earlier one went all others that were for it.
        return;
      }
      Subchannel subchannel = channel.paths().find(grant.subchannel());
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
      LocalMemory local = copied ? null : source.local(channel.engine(), subchannel.rail);
      lane.add(
          stream == null ? this : stream,
          new GrantedWrite(this, grant, region, channel.sendPath(), local));
      writes++;
      if (state == RendezvousSendState.OFFERED) {
        become(RendezvousSendState.WRITING);
      }
    } catch (RemoteAccessException e) {
      channel.failSubchannel(subchannel, "cannot write a large message: " + e.getMessage());
    }
  }

  boolean hasGrants() {
    return !grants.isEmpty();
  }

  /** One grant is dealt with. */
  void written() {
    writes--;
    if (writes == 0 && state == RendezvousSendState.WRITING) {
      become(RendezvousSendState.OFFERED);
    }
  }

  void requested() {
    requests++;
  }

  @Override
  public void completed(Subchannel subchannel, int bytes, long tookNanos) {
    if (times == null) {
      times = new StripeTimes();
    }
    channel.rendezvous().traffic().moved(bytes);
    boolean copied = subchannel.capabilities().mapped();
    times.add(subchannel.id, bytes, tookNanos, copied ? 0 : channel.engine().unseenNanos());
    answered();
  }

  /** Of a path that was lost there is nothing to learn for the weights. */
  @Override
  public void flushed() {
    answered();
  }

  private void answered() {
    requests--;
    releaseIfUnused();
  }

  /** The subchannel is in error: nothing is written or read through it any more. */
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

  /** Its stream is over; the receiver has yet to say that it left the source. */
  void abandon() {
    if (!isAbandoned()) {
      become(RendezvousSendState.ABANDONED);
    }
  }

  /**
   * The receiver is done with it.
   *
   * @param readNanos for so long it read the whole of it; 0: it did not, or cannot tell
   */
  void done(boolean hasArrived, long readNanos) {
    arrived = hasArrived;
    if (readNanos > 0 && exposedBy != null && times == null) {
      wasRead(readNanos);
    }
    underWay(-1);
    become(RendezvousSendState.OVER);
    grants.clear();
    hide();
    releaseIfUnused();
  }

  private void wasRead(long readNanos) {
    channel.rendezvous().traffic().moved(source.lengthBytes());
    boolean late = readNanos == RendezvousDone.LATE;
    times = new StripeTimes();
    times.add(exposedBy.id, source.lengthBytes(), readNanos, late ? readNanos : 0);
    if (!late) {
      exposedBy.lane().wasRead(source.lengthBytes(), readNanos);
    }
  }

  /** A peer that says DONE too early must not get what is written to this memory next. */
  private void releaseIfUnused() {
    if (state == RendezvousSendState.OVER && requests == 0 && !released) {
      released = true;
      source.release(channel.engine());
      if (arrived && times != null) {
        channel.sendPath().striper().moved(times);
      }
    }
  }

  boolean isReleased() {
    return released;
  }

  /** The channel has ended and its endpoints are closed. */
  void end() {
    if (state != RendezvousSendState.OVER) {
      become(RendezvousSendState.OVER);
    }
    requests = 0;
    releaseIfUnused();
  }
}
