package io.railflux.engine;

import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Access;
import io.railflux.fabric.Capabilities.Feature;
import io.railflux.fabric.ExposedRegion;
import io.railflux.wire.Region;
import io.railflux.wire.RendezvousReply;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What of one large message the peer is to write, where, and what it has written (RV1). A portion lands
 * where it belongs if the fabric can expose that memory, else in a slice of a {@link LandingWindow}, from
 * which it is copied. Engine thread only.
 */
final class PortionGrants {

  /** Out at a time for one message. */
  static final int MOST = 4;

  /** What became of asking for a portion. */
  enum Asked {
    GRANTED,
    NO_ROOM,
    NOTHING_TO_ASK
  }

  private record Portion(int offset, int lengthBytes) {}

  /** @param slice of the subchannel's window; -1 when it lands where it belongs */
  private record Grant(Subchannel subchannel, int offset, int lengthBytes, int slice) {}

  private final RendezvousReceives owner;
  private final long transfer;
  private final ByteBuffer bytes;
  private final int lengthBytes;

  // To be granted: from here on, and what was lost before.
  private int next;
  private final ArrayDeque<Portion> lost = new ArrayDeque<>();

  // By number: those that are out, and those whose subchannel was lost with them.
  private final Map<Integer, Grant> grants = new TreeMap<>();
  private final Set<Integer> revoked = new HashSet<>();
  private int nextGrant;

  private final Map<Integer, ExposedRegion> exposed = new TreeMap<>();
  private int landedBytes;

  /** @param bytes where the message belongs, with limits nobody else moves */
  PortionGrants(RendezvousReceives owner, long transfer, ByteBuffer bytes, int lengthBytes) {
    this.owner = owner;
    this.transfer = transfer;
    this.bytes = bytes;
    this.lengthBytes = lengthBytes;
  }

  /** All of it comes in another way, unless it is {@link #missing}. */
  void nothingToWrite() {
    next = lengthBytes;
  }

  /** That is to be written after all. */
  void missing(int offset, int missingBytes) {
    lost.add(new Portion(offset, missingBytes));
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
    Portion wanted = wanted();
    if (wanted == null) {
      return Asked.NOTHING_TO_ASK;
    }
    if (subchannel == null) {
      return Asked.NO_ROOM;
    }
    ExposedRegion own = exposed(subchannel);
    return own != null ? grant(subchannel, wanted, own, -1) : grantSlice(subchannel, wanted);
  }

  private Portion wanted() {
    if (grants.size() >= MOST) {
      return null;
    }
    if (!lost.isEmpty()) {
      return lost.peek();
    }
    int left = Math.min(owner.portionBytes(), lengthBytes - next);
    return left == 0 ? null : new Portion(next, left);
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

  private Asked grantSlice(Subchannel subchannel, Portion wanted) {
    LandingWindow window = subchannel.lane().window();
    if (!window.open()) {
      owner.askLater();
      return Asked.NO_ROOM;
    }
    int slice = window.take();
    if (slice < 0) {
      return Asked.NO_ROOM;
    }
    boolean sealed = subchannel.sealing != null;
    int room = sealed ? SealedChunks.capacity(window.sliceBytes()) : window.sliceBytes();
    int length = Math.min(wanted.lengthBytes, room);
    return grant(subchannel, new Portion(wanted.offset, length), window.region(), slice);
  }

  private Asked grant(Subchannel subchannel, Portion portion, ExposedRegion region, int slice) {
    taken(portion);
    int number = nextGrant++;
    grants.put(number, new Grant(subchannel, portion.offset, portion.lengthBytes, slice));
    int at = slice < 0 ? portion.offset : slice * subchannel.lane().window().sliceBytes();
    owner.reply(
        transfer,
        new RendezvousReply(
            number,
            subchannel.id,
            new Region(region.key(), region.lengthBytes(), at),
            portion.offset,
            portion.lengthBytes));
    return Asked.GRANTED;
  }

  private void taken(Portion portion) {
    if (lost.isEmpty()) {
      next += portion.lengthBytes;
      return;
    }
    Portion first = lost.poll();
    int left = first.lengthBytes - portion.lengthBytes;
    if (left > 0) {
      lost.addFirst(new Portion(first.offset + portion.lengthBytes, left));
    }
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

  /** Nothing lands through it any more: what it left missing is wanted over another one. */
  void drained(Subchannel subchannel) {
    for (Integer number : new ArrayList<>(grants.keySet())) {
      Grant grant = grants.get(number);
      if (grant.subchannel == subchannel) {
        grants.remove(number);
        revoked.add(number);
        lost.add(new Portion(grant.offset, grant.lengthBytes));
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
