package io.railflux.engine;

import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Access;
import io.railflux.fabric.Capabilities.Feature;
import io.railflux.fabric.ExposedRegion;
import io.railflux.policy.Marker;
import io.railflux.wire.Region;
import io.railflux.wire.RendezvousReply;
import io.railflux.wire.RendezvousStart;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What of one large message the peer is to write, where, and what it has written (RV1). A portion lands
 * where it belongs if the fabric can expose that memory, else in a slice of a {@link LandingWindow}, from
 * which it is copied. Engine thread only.
 */
final class PortionGrants {

  /** Out at a time for one message over one subchannel. */
  static final int MOST = 4;

  private static final int ANY = -1;

  /** What became of asking for a portion. */
  enum Asked {
    GRANTED,
    NO_ROOM,
    /** Over that subchannel: all of its share is out, or landed. */
    NOTHING_TO_ASK
  }

  /** What is to be written over one subchannel, or over {@link #ANY}, and is not granted yet. */
  private static final class Run {

    private final int subchannel;
    private int offset;
    private int left;

    Run(int subchannel, int offset, int lengthBytes) {
      this.subchannel = subchannel;
      this.offset = offset;
      this.left = lengthBytes;
    }

    boolean isFor(Subchannel carrier) {
      return subchannel == ANY || subchannel == carrier.id;
    }
  }

  /** @param slice of the subchannel's window; -1 when it lands where it belongs */
  private record Grant(Subchannel subchannel, int offset, int lengthBytes, int slice) {}

  private final RendezvousReceives owner;
  private final long transfer;
  private final ByteBuffer bytes;
  private final int lengthBytes;
  private final List<RendezvousStart.Stripe> offered;

  private final ArrayDeque<Run> runs = new ArrayDeque<>();

  // By number: those that are out, and those whose subchannel was lost with them.
  private final Map<Integer, Grant> grants = new TreeMap<>();
  private final Set<Integer> revoked = new HashSet<>();
  private int nextGrant;

  private final Map<Integer, ExposedRegion> exposed = new TreeMap<>();
  private int landedBytes;

  /** @param bytes where the message belongs, with limits nobody else moves */
  PortionGrants(RendezvousReceives owner, RendezvousStart offer, ByteBuffer bytes) {
    this.owner = owner;
    this.transfer = offer.transfer();
    this.bytes = bytes;
    this.lengthBytes = offer.lengthBytes();
    this.offered = offer.stripes();
    if (offer.stripes().isEmpty() && lengthBytes > 0) {
      runs.add(new Run(ANY, 0, lengthBytes));
    }
    int offset = 0;
    for (RendezvousStart.Stripe stripe : offer.stripes()) {
      if (owner.channel().paths().find(stripe.subchannel()) == null) {
        missing(offset, stripe.lengthBytes());
      } else {
        runs.add(new Run(stripe.subchannel(), offset, stripe.lengthBytes()));
      }
      offset += stripe.lengthBytes();
    }
  }

  /** All of it comes in another way, unless it is {@link #missing}. */
  void nothingToWrite() {
    runs.clear();
  }

  /** That is to be written after all: cut anew, over what is live now (FT3: V 10.3.2). */
  void missing(int offset, int missingBytes) {
    if (missingBytes == 0) {
      return;
    }
    List<RendezvousStart.Stripe> stripes = cutAnew(missingBytes);
    int from = offset;
    for (RendezvousStart.Stripe stripe : stripes) {
      runs.add(new Run(stripe.subchannel(), from, stripe.lengthBytes()));
      from += stripe.lengthBytes();
    }
    if (stripes.isEmpty()) {
      runs.add(new Run(ANY, offset, missingBytes));
    }
  }

  /**
   * As the sender's policy cut the message over those paths that are left, for it knows what they carry in that direction;
   * where none of those is, by this side's.
   */
  private List<RendezvousStart.Stripe> cutAnew(int missingBytes) {
    List<RendezvousStart.Stripe> left = offered.stream()
        .filter(stripe -> owner.channel().paths().find(stripe.subchannel()) != null)
        .toList();
    Striper striper = owner.channel().sendPath().striper();
    return left.isEmpty()
        ? striper.cut(missingBytes, Marker.REQUEST)
        : striper.cutLike(left, missingBytes);
  }

  boolean areOut() {
    return !grants.isEmpty();
  }

  /** Bytes of all portions that were written. */
  int landedBytes() {
    return landedBytes;
  }

  /** Grants the next portion, over {@code subchannel}, null when there is none. */
  Asked askFor(Subchannel subchannel) {
    if (subchannel == null) {
      return runs.isEmpty() ? Asked.NOTHING_TO_ASK : Asked.NO_ROOM;
    }
    Run run = next(subchannel);
    if (run == null || out(subchannel) >= MOST) {
      return Asked.NOTHING_TO_ASK;
    }
    ExposedRegion own = exposed(subchannel);
    return own != null
        ? grant(subchannel, run, owner.portionBytes(), own, -1)
        : grantSlice(subchannel, run);
  }

  private Run next(Subchannel subchannel) {
    for (Run run : runs) {
      if (run.isFor(subchannel)) {
        return run;
      }
    }
    return null;
  }

  private int out(Subchannel subchannel) {
    int out = 0;
    for (Grant grant : grants.values()) {
      out += grant.subchannel == subchannel ? 1 : 0;
    }
    return out;
  }

  /** This message's memory as the peer may write it; null where it cannot be exposed. */
  private ExposedRegion exposed(Subchannel subchannel) {
    ExposedRegion region = exposed.get(subchannel.id);
    if (subchannel.sealing != null) {
      // What arrives is not yet what was sent.
      return null;
    }
    if (region == null && subchannel.capabilities().has(Feature.EXPOSES_USER_MEMORY)) {
      try {
        region = subchannel.endpoint.expose(bytes.slice(0, lengthBytes), Access.REMOTE_WRITE);
        exposed.put(subchannel.id, region);
      } catch (FabricUnavailableException | IllegalStateException e) {
        return null;
      }
    }
    return region;
  }

  private Asked grantSlice(Subchannel subchannel, Run run) {
    LandingWindow window = subchannel.lane().window();
    if (!window.open()) {
      owner.askLater();
      anyMayTake(run);
      return Asked.NO_ROOM;
    }
    int slice = window.take();
    if (slice < 0) {
      return Asked.NO_ROOM;
    }
    boolean sealed = subchannel.sealing != null;
    int room = sealed ? SealedChunks.capacity(window.sliceBytes()) : window.sliceBytes();
    return grant(subchannel, run, room, window.region(), slice);
  }

  /** Where memory is all there is to wait for, another rail may have some. */
  private void anyMayTake(Run run) {
    if (run.subchannel != ANY && owner.channel().live().size() > 1) {
      runs.remove(run);
      runs.add(new Run(ANY, run.offset, run.left));
    }
  }

  private Asked grant(
      Subchannel subchannel, Run run, int mostBytes, ExposedRegion region, int slice) {
    int offset = run.offset;
    int portionBytes = Math.min(run.left, mostBytes);
    run.offset += portionBytes;
    run.left -= portionBytes;
    if (run.left == 0) {
      runs.remove(run);
    }
    int number = nextGrant++;
    grants.put(number, new Grant(subchannel, offset, portionBytes, slice));
    int at = slice < 0 ? offset : slice * subchannel.lane().window().sliceBytes();
    Region to = new Region(region.key(), region.lengthBytes(), at);
    owner.reply(transfer, new RendezvousReply(number, subchannel.id, to, offset, portionBytes));
    return Asked.GRANTED;
  }

  /**
   * A portion is written, or given back.
   *
   * @param wanted whether the message is; else what came is left where it is
   * @return what the peer did wrong, or null
   */
  String onFin(int number, Subchannel carrier, boolean wanted) {
    Grant grant = grants.get(number);
    if (grant == null) {
      // What was granted again may still be announced, once.
      return revoked.remove(number) ? null : "RNDZ_FIN of grant " + number + ", which is not out";
    }
    if (grant.subchannel != carrier) {
      return "RNDZ_FIN came over " + carrier + " and not behind what it tells of";
    }
    if (grant.slice >= 0) {
      if (wanted && !take(grant, carrier)) {
        // The grant stays out: what it was for is granted again once the subchannel is drained.
        carrier.lane().sealed().forged();
        return null;
      }
      carrier.lane().window().give(grant.slice);
    }
    grants.remove(number);
    landedBytes += grant.lengthBytes;
    return null;
  }

  /** Out of the window. Returns false when it is not what the peer sealed. */
  private boolean take(Grant grant, Subchannel carrier) {
    LandingWindow window = carrier.lane().window();
    int from = grant.slice * window.sliceBytes();
    ByteBuffer landed = window.region().memory();
    if (carrier.sealing == null) {
      bytes.put(grant.offset, landed, from, grant.lengthBytes);
      return true;
    }
    return carrier
        .lane()
        .sealed()
        .open(
            landed.duplicate().position(from),
            bytes.slice(grant.offset, grant.lengthBytes),
            transfer,
            grant.offset);
  }

  /** Nothing more is granted over it: what was to be goes over others. */
  void lost(Subchannel subchannel) {
    for (Run run : new ArrayList<>(runs)) {
      if (run.subchannel == subchannel.id) {
        runs.remove(run);
        missing(run.offset, run.left);
      }
    }
  }

  /** Nothing lands through it any more: what it left missing is wanted over another one. */
  void drained(Subchannel subchannel) {
    for (Integer number : new ArrayList<>(grants.keySet())) {
      Grant grant = grants.get(number);
      if (grant.subchannel == subchannel) {
        grants.remove(number);
        revoked.add(number);
        missing(grant.offset, grant.lengthBytes);
      }
    }
    ExposedRegion region = exposed.remove(subchannel.id);
    if (region != null) {
      region.close();
    }
  }

  /** No peer may change what is handed on. */
  void hide() {
    exposed.values().forEach(ExposedRegion::close);
    exposed.clear();
  }
}
