package io.railflux.engine.rendezvous;

import io.railflux.engine.base.ProtocolViolation;
import io.railflux.engine.path.ExposedWindow;
import io.railflux.engine.path.Striper;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.seal.SealedChunks;
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
 * Grants the peer the portions of one large message and tracks their completion (RV1). A portion lands directly in the
 * message if the fabric can expose that memory. Otherwise it lands in a slice of a {@link ExposedWindow.Landing} and is
 * copied. Engine thread only.
 */
final class PortionGrants {

  /** Maximum number of outstanding grants of one message over one subchannel. */
  static final int MAX_GRANTS = 4;

  private static final int ANY = -1;

  /** Outcome of a request for a portion. */
  enum Result {
    GRANTED,
    NO_ROOM,
    /** The share of the subchannel is granted or landed completely. */
    NOTHING_TO_GRANT
  }

  /** Bytes to be written over one subchannel, or over {@link #ANY}, that are not granted yet. */
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

  /** @param slice slice of the subchannel's window; -1 if the portion lands directly in the message */
  private record Grant(Subchannel subchannel, int offset, int lengthBytes, int slice) {}

  private final RendezvousReceives owner;
  private final long transfer;
  private final ByteBuffer bytes;
  private final int lengthBytes;
  private final List<RendezvousStart.Stripe> offered;

  private final ArrayDeque<Run> runs = new ArrayDeque<>();

  // Outstanding grants by number, and the numbers of grants revoked with their lost subchannel.
  private final Map<Integer, Grant> grants = new TreeMap<>();
  private final Set<Integer> revoked = new HashSet<>();
  private int nextGrant;

  private final Map<Integer, ExposedRegion> exposed = new TreeMap<>();
  private int landedBytes;

  /** @param bytes memory of the message; no other code changes its limits */
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
      if (owner.paths.find(stripe.subchannel()) == null) {
        missing(offset, stripe.lengthBytes());
      } else {
        runs.add(new Run(stripe.subchannel(), offset, stripe.lengthBytes()));
      }
      offset += stripe.lengthBytes();
    }
  }

  /** Drops all runs: the message arrives in another way, except for bytes that {@link #missing} adds. */
  void nothingToWrite() {
    runs.clear();
  }

  /** Adds bytes that must be written after all. The runs are cut anew over the live subchannels (FT3: V 10.3.2). */
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
   * Cuts the bytes over the remaining paths in the proportions of the sender's policy, which knows their capacity in
   * that direction. If none of these paths remains, this side's policy decides.
   */
  private List<RendezvousStart.Stripe> cutAnew(int missingBytes) {
    List<RendezvousStart.Stripe> left = offered.stream()
        .filter(stripe -> owner.paths.find(stripe.subchannel()) != null)
        .toList();
    Striper striper = owner.striper;
    return left.isEmpty()
        ? striper.cut(missingBytes, Marker.REQUEST)
        : striper.cutLike(left, missingBytes);
  }

  boolean areOut() {
    return !grants.isEmpty();
  }

  /** Returns the number of bytes of all completed portions. */
  int landedBytes() {
    return landedBytes;
  }

  /** Grants the next portion over {@code subchannel}, which is null if there is none. */
  Result grantNext(Subchannel subchannel) {
    if (subchannel == null) {
      return runs.isEmpty() ? Result.NOTHING_TO_GRANT : Result.NO_ROOM;
    }
    Run run = next(subchannel);
    if (run == null || out(subchannel) >= MAX_GRANTS) {
      return Result.NOTHING_TO_GRANT;
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

  /** Returns the memory of the message, exposed for the peer's writes; null if it cannot be exposed. */
  private ExposedRegion exposed(Subchannel subchannel) {
    ExposedRegion region = exposed.get(subchannel.id);
    if (subchannel.sealing != null) {
      // Arriving bytes are still sealed.
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

  private Result grantSlice(Subchannel subchannel, Run run) {
    ExposedWindow.Landing window = subchannel.lane().window();
    if (!window.open()) {
      owner.retryLater();
      anyMayTake(run);
      return Result.NO_ROOM;
    }
    int slice = window.take();
    if (slice < 0) {
      return Result.NO_ROOM;
    }
    boolean sealed = subchannel.sealing != null;
    int room = sealed ? SealedChunks.capacity(window.sliceBytes()) : window.sliceBytes();
    return grant(subchannel, run, room, window.region(), slice);
  }

  /** Releases the run to all rails: if it only waits for memory, another rail may have some. */
  private void anyMayTake(Run run) {
    if (run.subchannel != ANY && owner.live.size() > 1) {
      runs.remove(run);
      runs.add(new Run(ANY, run.offset, run.left));
    }
  }

  private Result grant(
      Subchannel subchannel, Run run, int maxBytes, ExposedRegion region, int slice) {
    int offset = run.offset;
    int portionBytes = Math.min(run.left, maxBytes);
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
    return Result.GRANTED;
  }

  /**
   * Handles the completion or the return of a portion.
   *
   * @param wanted whether the message is still wanted; otherwise the received bytes are ignored
   */
  void onFin(int number, Subchannel carrier, boolean wanted) throws ProtocolViolation {
    Grant grant = grants.get(number);
    if (grant == null) {
      // A portion that was granted again may still be announced once under its old number.
      if (!revoked.remove(number)) {
        throw new ProtocolViolation("RNDZ_FIN of grant " + number + ", which is not outstanding");
      }
      return;
    }
    if (grant.subchannel != carrier) {
      throw new ProtocolViolation(
          "RNDZ_FIN arrived over " + carrier + ", but its portion went over another subchannel");
    }
    if (grant.slice >= 0) {
      if (wanted && !take(grant, carrier)) {
        // The grant stays outstanding. Its bytes are granted again once the subchannel is drained.
        carrier.lane().sealed().forged();
        return;
      }
      carrier.lane().window().give(grant.slice);
    }
    grants.remove(number);
    landedBytes += grant.lengthBytes;
  }

  /** Copies the portion out of the window. Returns false if the peer did not seal it. */
  private boolean take(Grant grant, Subchannel carrier) {
    ExposedWindow.Landing window = carrier.lane().window();
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

  /** Handles the loss of a subchannel: its ungranted bytes go over other subchannels. */
  void lost(Subchannel subchannel) {
    for (Run run : new ArrayList<>(runs)) {
      if (run.subchannel == subchannel.id) {
        runs.remove(run);
        missing(run.offset, run.left);
      }
    }
  }

  /**
   * Handles the drain of a subchannel: nothing lands through it any more. Its missing bytes are granted over other
   * subchannels.
   */
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

  /** Closes the exposed regions, so that no peer can change a delivered message. */
  void hide() {
    exposed.values().forEach(ExposedRegion::close);
    exposed.clear();
  }
}
